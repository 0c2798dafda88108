#include <functional>
#include <thread>

#include <gmock/gmock.h>

#include "journal/entries.hpp"
#include "journal/ring_rows.hpp"
#include "journal/sqlite_rows.hpp"

// What the log promises wherever its rows are kept. A new place is one more row at the end of this file.

namespace turnout::journal {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct place {
    const char* name;
    std::unique_ptr<row_store> (*make)(const scratch_directory& where, std::int64_t max_rows);
};

class log_contract : public testing::TestWithParam<place> {
protected:
    std::unique_ptr<log> make(std::int64_t max_rows = 1000) {
        return std::make_unique<log>(GetParam().make(where_, max_rows));
    }

private:
    scratch_directory where_;
};

request_entry everything() {
    request_entry e;
    e.request_id = "req_1";
    e.public_model = "gpt";
    e.served_model = "spare";
    e.call_type = "chat";
    e.outcome = "success";
    e.error_code = "some_code";
    e.strategy = "simple-shuffle";
    e.fallback_reason = "general";
    e.key_name = "demo";
    e.prompt_tokens = 3;
    e.completion_tokens = 4;
    e.total_tokens = 7;
    e.started = {1'700'000'000'123};
    e.took = 250ms;
    e.status = 200;
    e.stream = e.fallback_used = e.degraded = true;
    auto& first = e.attempts.add();
    first.deployment = "dep_a";
    first.label = "a";
    first.adapter = "openai";
    first.public_model = "gpt";
    first.failure = "throttle";
    first.detail = "the connection failed";
    first.circuit = "reopened";
    first.cause = "configuration";
    first.circuit_until = {1'700'000'005'000};
    first.capacity_until = {1'700'000'006'000};
    first.status = 429;
    first.latency = 100ms;
    first.waited = 20ms;
    auto& second = e.attempts.add();
    second.deployment = "dep_b";
    second.anomalies = "missing_done,unclean_close";
    second.committed = true;
    return e;
}

void append_all(log& l, const request_entry& like) {
    auto e = l.take();
    *e = like;
    l.append(std::move(e));
}

std::int64_t value_of(const std::optional<base::wall_ms>& t) { return t ? t->value : -1; }

void expect_same(const attempt_entry& a, const attempt_entry& b) {
    EXPECT_EQ(a.deployment, b.deployment);
    EXPECT_EQ(a.label, b.label);
    EXPECT_EQ(a.adapter, b.adapter);
    EXPECT_EQ(a.public_model, b.public_model);
    EXPECT_EQ(a.failure, b.failure);
    EXPECT_EQ(a.detail, b.detail);
    EXPECT_EQ(a.anomalies, b.anomalies);
    EXPECT_EQ(a.circuit, b.circuit);
    EXPECT_EQ(a.cause, b.cause);
    EXPECT_EQ(value_of(a.circuit_until), value_of(b.circuit_until));
    EXPECT_EQ(value_of(a.capacity_until), value_of(b.capacity_until));
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.latency, b.latency);
    EXPECT_EQ(a.waited, b.waited);
    EXPECT_EQ(a.committed, b.committed);
}

void expect_same(const request_entry& a, const request_entry& b) {
    EXPECT_EQ(a.request_id, b.request_id);
    EXPECT_EQ(a.public_model, b.public_model);
    EXPECT_EQ(a.served_model, b.served_model);
    EXPECT_EQ(a.call_type, b.call_type);
    EXPECT_EQ(a.outcome, b.outcome);
    EXPECT_EQ(a.error_code, b.error_code);
    EXPECT_EQ(a.strategy, b.strategy);
    EXPECT_EQ(a.fallback_reason, b.fallback_reason);
    EXPECT_EQ(a.key_name, b.key_name);
    EXPECT_EQ(a.prompt_tokens, b.prompt_tokens);
    EXPECT_EQ(a.completion_tokens, b.completion_tokens);
    EXPECT_EQ(a.total_tokens, b.total_tokens);
    EXPECT_EQ(a.started.value, b.started.value);
    EXPECT_EQ(a.took, b.took);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.stream, b.stream);
    EXPECT_EQ(a.fallback_used, b.fallback_used);
    EXPECT_EQ(a.degraded, b.degraded);
    ASSERT_EQ(a.attempts.size(), b.attempts.size());
    for (std::size_t i = 0; i < a.attempts.size(); ++i) expect_same(a.attempts[i], b.attempts[i]);
}

TEST_P(log_contract, keeps_every_member_of_a_row) {
    const auto l = make();
    append_all(*l, everything());
    const auto p = listed(*l);
    ASSERT_TRUE(p);
    ASSERT_EQ(p->rows.size(), 1U);
    expect_same(p->rows[0], everything());
    const auto one = found(*l, p->rows[0].number);
    ASSERT_TRUE(one);
    ASSERT_EQ(one->rows.size(), 1U);
    expect_same(one->rows[0], everything());
}

TEST_P(log_contract, keeps_the_absence_of_what_a_row_lacks) {
    const auto l = make();
    append_all(*l, everything());
    append(*l, "bare");
    const auto p = listed(*l);
    ASSERT_TRUE(p);
    ASSERT_EQ(p->rows.size(), 2U);
    request_entry bare;
    bare.request_id = "bare";
    expect_same(p->rows[0], bare);
}

TEST_P(log_contract, lists_pages_with_the_last_row_first) {
    RecordProperty("rules", "LOG-LIST-001");
    const auto l = make();
    for (const auto* id : {"1", "2", "3", "4", "5"}) append(*l, id);
    EXPECT_THAT(ids(listed(*l, {}, 2, 0)), ElementsAre("5", "4"));
    EXPECT_THAT(ids(listed(*l, {}, 2, 2)), ElementsAre("3", "2"));
    EXPECT_THAT(ids(listed(*l, {}, 2, 4)), ElementsAre("1"));
    EXPECT_THAT(ids(listed(*l, {}, 2, 5)), IsEmpty());
    EXPECT_EQ(listed(*l, {}, 2, 4)->total, 5U);
    EXPECT_EQ(listed(*l, {}, 2, 100)->total, 5U);
}

TEST_P(log_contract, keeps_as_many_rows_as_it_may_and_forgets_the_oldest) {
    RecordProperty("rules", "LOG-KEEP-001");
    const auto l = make(3);
    for (const auto* id : {"1", "2", "3"}) append(*l, id);
    const auto full = listed(*l);
    EXPECT_THAT(ids(full), ElementsAre("3", "2", "1"));
    ASSERT_EQ(full->rows.size(), 3U);
    const auto oldest = full->rows[2].number;
    EXPECT_EQ(found(*l, oldest)->rows.size(), 1U);
    append(*l, "4");
    EXPECT_THAT(ids(listed(*l)), ElementsAre("4", "3", "2"));
    EXPECT_EQ(listed(*l)->total, 3U);
    EXPECT_EQ(found(*l, oldest)->rows.size(), 0U);
    EXPECT_THAT(ids(found(*l, oldest + 1)), ElementsAre("2"));
    EXPECT_THAT(ids(found(*l, oldest + 3)), ElementsAre("4"));
    EXPECT_EQ(found(*l, oldest + 4)->rows.size(), 0U);
}

TEST_P(log_contract, keeps_the_last_of_a_batch_that_is_larger_than_all_it_keeps) {
    const auto l = make(3);
    for (int i = 0; i < 20; ++i) append(*l, std::to_string(i));
    EXPECT_THAT(ids(listed(*l)), ElementsAre("19", "18", "17"));
}

TEST_P(log_contract, forgets_the_attempts_of_forgotten_rows) {
    const auto l = make(1);
    append_all(*l, everything());
    listed(*l);
    append(*l, "bare");
    const auto p = listed(*l, {.deployment = "dep_a"});
    EXPECT_EQ(p->total, 0U);
    EXPECT_TRUE(listed(*l)->rows[0].attempts.empty());
}

TEST_P(log_contract, takes_rows_from_many_threads_and_shows_each_its_own) {
    constexpr int threads = 8;
    constexpr int rows = 250;
    const auto l = make(threads * rows);
    std::vector<std::thread> writers;
    for (int t = 0; t < threads; ++t)
        writers.emplace_back([&l, t] {
            for (int i = 0; i < rows; ++i) append(*l, std::to_string(t) + "-" + std::to_string(i));
            EXPECT_EQ(listed(*l, {.request_id = std::to_string(t) + "-" + std::to_string(rows - 1)})->total, 1U);
        });
    for (auto& w : writers) w.join();
    const auto all = listed(*l, {}, threads * rows);
    EXPECT_EQ(all->total, std::uint64_t{threads * rows});
    std::vector<int> next(threads, rows - 1); // each thread's rows in its own order
    for (const auto& id : ids(all)) {
        const int t = id[0] - '0';
        EXPECT_EQ(id, std::to_string(t) + "-" + std::to_string(next[static_cast<std::size_t>(t)]--));
    }
    EXPECT_EQ(l->dropped(), 0U);
}

TEST_P(log_contract, selects_by_the_request) {
    RecordProperty("rules", "LOG-FILTER-001");
    const auto l = make();
    append_all(*l, everything());
    append(*l, "other");
    const auto hits = [&](filter f) { return listed(*l, std::move(f))->total; };
    EXPECT_EQ(hits({}), 2U);
    EXPECT_EQ(hits({.request_id = "req_1"}), 1U);
    EXPECT_EQ(hits({.request_id = "req_"}), 0U);
    EXPECT_EQ(hits({.public_model = "gpt"}), 1U);
    EXPECT_EQ(hits({.public_model = "spare"}), 0U);
    EXPECT_EQ(hits({.call_type = "chat"}), 1U);
    EXPECT_EQ(hits({.call_type = "cha"}), 0U);
    EXPECT_EQ(hits({.outcome = "success"}), 1U);
    EXPECT_EQ(hits({.outcome = "error"}), 0U);
    EXPECT_THAT(ids(listed(*l, {.stream = true})), ElementsAre("req_1"));
    EXPECT_THAT(ids(listed(*l, {.stream = false})), ElementsAre("other"));
    EXPECT_THAT(ids(listed(*l, {.degraded = true})), ElementsAre("req_1"));
    EXPECT_THAT(ids(listed(*l, {.degraded = false})), ElementsAre("other"));
}

TEST_P(log_contract, selects_by_time_up_to_the_edge) {
    RecordProperty("rules", "LOG-FILTER-002");
    const auto l = make();
    append_all(*l, everything()); // began at ...123 and took 250 ms
    const auto hits = [&](filter f) { return listed(*l, std::move(f))->total; };
    EXPECT_EQ(hits({.min_duration = 250ms}), 1U);
    EXPECT_EQ(hits({.min_duration = 251ms}), 0U);
    EXPECT_EQ(hits({.max_duration = 250ms}), 1U);
    EXPECT_EQ(hits({.max_duration = 249ms}), 0U);
    EXPECT_EQ(hits({.start = base::wall_ms{1'700'000'000'123}}), 1U);
    EXPECT_EQ(hits({.start = base::wall_ms{1'700'000'000'124}}), 0U);
    EXPECT_EQ(hits({.end = base::wall_ms{1'700'000'000'124}}), 1U);
    EXPECT_EQ(hits({.end = base::wall_ms{1'700'000'000'123}}), 0U);
}

TEST_P(log_contract, selects_by_any_of_the_attempts) {
    RecordProperty("rules", "LOG-FILTER-003");
    const auto l = make();
    append_all(*l, everything());
    const auto hits = [&](filter f) { return listed(*l, std::move(f))->total; };
    EXPECT_EQ(hits({.deployment = "dep_a"}), 1U);
    EXPECT_EQ(hits({.deployment = "dep_b"}), 1U);
    EXPECT_EQ(hits({.deployment = "dep_c"}), 0U);
    EXPECT_EQ(hits({.adapter = "openai"}), 1U);
    EXPECT_EQ(hits({.adapter = "cohere"}), 0U);
    EXPECT_EQ(hits({.failure = "throttle"}), 1U);
    EXPECT_EQ(hits({.failure = "transient"}), 0U);
    EXPECT_EQ(hits({.deployment = "dep_b", .failure = "throttle"}), 1U); // each held by another attempt
    EXPECT_EQ(hits({.public_model = "other", .deployment = "dep_a"}), 0U);
    EXPECT_EQ(hits({.deployment = "dep_"}), 0U);
    EXPECT_EQ(hits({.deployment = "a"}), 0U); // the label of the first
}

TEST_P(log_contract, keeps_labels_as_they_are_and_takes_none_for_a_member) {
    const std::string label(R"(","failure":"transient", \ \u0041 ' )"
                            "\n\xc3\xa4");
    const auto l = make();
    auto e = l->take();
    e->request_id = "odd";
    e->attempts.add().label = label;
    l->append(std::move(e));
    EXPECT_EQ(listed(*l)->rows.at(0).attempts[0].label, label);
    EXPECT_EQ(listed(*l, {.failure = "transient"})->total, 0U);
}

TEST_P(log_contract, pages_through_what_a_filter_selects) {
    const auto l = make();
    for (int i = 0; i < 6; ++i) {
        auto e = l->take();
        e->request_id = std::to_string(i);
        e->stream = i % 2 == 0;
        l->append(std::move(e));
    }
    const auto p = listed(*l, {.stream = true}, 2, 1);
    EXPECT_THAT(ids(p), ElementsAre("2", "0"));
    EXPECT_EQ(p->total, 3U);
}

TEST_P(log_contract, takes_any_text) {
    const auto l = make();
    const std::string odd("'; DROP TABLE requests; --\0\xff\xc3\xa4", 31);
    append(*l, odd);
    append(*l, "%");
    EXPECT_THAT(ids(listed(*l, {.request_id = odd})), ElementsAre(odd));
    EXPECT_THAT(ids(listed(*l, {.request_id = "%"})), ElementsAre("%"));
}

INSTANTIATE_TEST_SUITE_P(
    places, log_contract,
    testing::Values(place{"ring",
                          [](const scratch_directory&, std::int64_t rows) -> std::unique_ptr<row_store> {
                              return std::make_unique<ring_rows>(1000, static_cast<std::size_t>(rows));
                          }},
                    place{"sqlite",
                          [](const scratch_directory& where, std::int64_t rows) -> std::unique_ptr<row_store> {
                              return std::make_unique<sqlite_rows>(where / "data", base::wall_ms{1000}, rows);
                          }}),
    [](const auto& row) { return std::string(row.param.name); });

} // namespace
} // namespace turnout::journal
