#include <atomic>
#include <mutex>

#include "admin/admin_service.hpp"
#include "gateway/running.hpp"
#include "journal/operation_id.hpp"
#include "journal/ring_rows.hpp"

namespace turnout::admin {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Rows in memory, behind a door that the test may shut.
class guarded_rows final : public journal::row_store {
public:
    guarded_rows(std::mutex& door, std::atomic<bool>& broken) : door_(door), broken_(broken) {}

    void write(std::vector<journal::entry_ptr>& batch) override { inner_.write(batch); }
    journal::page list(const journal::filter& f, std::size_t limit, std::size_t offset) override {
        const std::scoped_lock lock(door_);
        if (broken_) throw std::runtime_error("broken");
        return inner_.list(f, limit, offset);
    }
    journal::page get(std::int64_t number) override {
        if (broken_) throw std::runtime_error("broken");
        return inner_.get(number);
    }

private:
    std::mutex& door_;
    std::atomic<bool>& broken_;
    journal::ring_rows inner_{1};
};

class admin_service_test : public gateway::running {
protected:
    admin_service_test() {
        settings.server.master_key = "master";
        settings.keys = {{"demo", "client"}};
        extra = {&service};
    }
    void TearDown() override {
        journal.close();
        running::TearDown();
    }

    std::string ask(std::string_view target, std::string_view fields = "x-api-key: master\r\n",
                    std::string_view method = "GET") {
        auto c = client();
        c.send(std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
               + std::string(fields) + "\r\n");
        turns().until([&] { return c.ended(); });
        return c.take();
    }
    void append(const std::string& request_id) {
        auto e = journal.take();
        e->request_id = request_id;
        journal.append(std::move(e));
    }

    std::mutex door;
    std::atomic<bool> broken{false};
    journal::log journal{std::make_unique<guarded_rows>(door, broken)};
    admin_service service{journal};
};

TEST_F(admin_service_test, lists_rows) {
    append("one");
    append("two");
    EXPECT_THAT(ask("/admin/logs"),
                AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("\r\ncontent-type: application/json\r\n"),
                      HasSubstr(R"({"data":[{"id":"op_0000000000000002","requestId":"two")"),
                      HasSubstr(R"("requestId":"one")"),
                      EndsWith(R"("pagination":{"limit":50,"offset":0,"total":2,"nextOffset":null}})")));
    EXPECT_THAT(ask("/admin/logs?limit=1&offset=1"),
                AllOf(HasSubstr(R"("requestId":"one")"), Not(HasSubstr(R"("requestId":"two")")),
                      EndsWith(R"("pagination":{"limit":1,"offset":1,"total":2,"nextOffset":null}})")));
    EXPECT_THAT(ask("/admin/logs?requestId=two"), AllOf(Not(HasSubstr("one")), HasSubstr(R"("total":1,)")));
}

TEST_F(admin_service_test, shows_one_row) {
    append("one");
    EXPECT_THAT(ask("/admin/logs/op_0000000000000001"),
                AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr(R"({"data":{"id":"op_0000000000000001")"),
                      HasSubstr(R"("attempts":[])")));
    for (const auto* other : {"op_0000000000000002", "1", "", "op_0000000000000001/", "%6Fp_0000000000000001"})
        EXPECT_THAT(ask("/admin/logs/" + std::string(other)),
                    AllOf(StartsWith("HTTP/1.1 404 "), HasSubstr(R"("code":"not_found")")))
            << other;
}

TEST_F(admin_service_test, names_parameters_that_it_does_not_understand) {
    EXPECT_THAT(ask("/admin/logs?limit=0"),
                AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr(R"("param":"limit")"),
                      HasSubstr("The parameter limit must be a whole number from 1 to 500.")));
    EXPECT_THAT(ask("/admin/logs?a=%"), AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr(R"("param":null)")));
    EXPECT_THAT(ask("/admin/logs/op_0000000000000001?limit=1"),
                AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr(R"("param":"limit")")));
    EXPECT_THAT(ask("/admin/logs/op_0000000000000001?%"), StartsWith("HTTP/1.1 400 "));
}

TEST_F(admin_service_test, opens_to_the_master_key_only) {
    const auto refused = AllOf(StartsWith("HTTP/1.1 401 "), HasSubstr(R"("code":"invalid_api_key")"));
    EXPECT_THAT(ask("/admin/logs", "Authorization: Bearer master\r\n"), StartsWith("HTTP/1.1 200 "));
    for (const auto* fields :
         {"", "x-api-key: client\r\n", "Authorization: Bearer client\r\n", "x-api-key: wrong\r\n"}) {
        EXPECT_THAT(ask("/admin/logs", fields), refused) << fields;
        EXPECT_THAT(ask("/admin/logs/op_0000000000000001", fields), refused) << fields;
    }
    EXPECT_THAT(ask("/admin/logs?key=master", ""), refused);
}

TEST_F(admin_service_test, opens_to_nobody_where_only_clients_have_keys) {
    settings.server.master_key.clear();
    EXPECT_THAT(ask("/admin/logs", "x-api-key: client\r\n"), StartsWith("HTTP/1.1 401 "));
}

TEST_F(admin_service_test, opens_to_everybody_where_nobody_has_a_key) {
    settings.server.master_key.clear();
    settings.keys.clear();
    EXPECT_THAT(ask("/admin/logs", ""), StartsWith("HTTP/1.1 200 "));
}

TEST_F(admin_service_test, answers_get_and_head_only) {
    EXPECT_THAT(ask("/admin/logs", "x-api-key: master\r\n", "HEAD"),
                AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("\r\n\r\n")));
    for (const auto* method : {"POST", "DELETE", "PUT"})
        EXPECT_THAT(ask("/admin/logs", "x-api-key: master\r\nContent-Length: 0\r\n", method),
                    AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("\r\nallow: GET, HEAD\r\n")));
}

TEST_F(admin_service_test, leaves_other_paths_alone) {
    EXPECT_THAT(ask("/admin/logsx"), StartsWith("HTTP/1.1 404 "));
    EXPECT_THAT(ask("/admin"), StartsWith("HTTP/1.1 404 "));
}

TEST_F(admin_service_test, gives_every_answer_the_request_id) {
    for (const auto* target : {"/admin/logs", "/admin/logs?x=1", "/admin/logs/op_0000000000000001", "/admin/logs/x"})
        EXPECT_THAT(ask(target, "x-api-key: master\r\nx-request-id: mine\r\n"),
                    HasSubstr("\r\nx-request-id: mine\r\n"));
    EXPECT_THAT(ask("/admin/logs", "x-request-id: mine\r\n"), HasSubstr("\r\nx-request-id: mine\r\n"));
}

TEST_F(admin_service_test, says_that_rows_cannot_be_read) {
    broken = true;
    const auto refused = AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr(R"("code":"service_unavailable")"));
    EXPECT_THAT(ask("/admin/logs"), refused);
    EXPECT_THAT(ask("/admin/logs/op_0000000000000001"), refused);
}

// The page comes when its client has left, and is dropped.
TEST_F(admin_service_test, survives_clients_that_leave) {
    {
        const std::scoped_lock shut(door);
        auto c = client();
        c.send("GET /admin/logs HTTP/1.1\r\nHost: h\r\nx-api-key: master\r\n\r\n");
        turns().turn();
        c.close();
        turns().turn();
    }
    EXPECT_THAT(ask("/admin/logs"), StartsWith("HTTP/1.1 200 "));
}

// The page comes when the worker turns no more.
TEST_F(admin_service_test, survives_the_end_of_the_worker) {
    auto c = client();
    {
        const std::scoped_lock shut(door);
        c.send("GET /admin/logs HTTP/1.1\r\nHost: h\r\nx-api-key: master\r\n\r\n");
        turns().turn();
    }
    journal.close();
    destroy();
}

} // namespace
} // namespace turnout::admin
