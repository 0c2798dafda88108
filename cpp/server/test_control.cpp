#include "server/test_control.hpp"

#include <memory>
#include <utility>

#include "codec/json_scan.hpp"

namespace turnout::server {
namespace {

constexpr std::string_view json_type = "content-type: application/json\r\n";
constexpr std::int64_t longest_advance_ms = std::int64_t{366} * 24 * 3600 * 1000;

/// The members of the small bodies that this control takes; nothing if the body is no object or has others.
struct control_body {
    std::optional<std::int64_t> ms;
    std::optional<std::int64_t> seed;
    std::optional<std::string> until_armed;
};

std::optional<control_body> parse(std::string_view text) {
    control_body body;
    codec::json::scanner s(text);
    codec::json::string_token name;
    if (s.peek() != codec::json::kind::object || !s.begin_object()) return std::nullopt;
    while (s.next_member(name)) {
        std::string_view value;
        codec::json::string_token word;
        if (name.equals("until_armed") && s.peek() == codec::json::kind::string) {
            if (s.read_string(word)) body.until_armed = word.decode();
        } else if (s.skip(value)) {
            if (name.equals("ms"))
                body.ms = codec::json::to_integer(value);
            else if (name.equals("seed"))
                body.seed = codec::json::to_integer(value);
            else if (!name.equals("until_armed") || value != "null")
                return std::nullopt;
        }
    }
    if (!s.finish()) return std::nullopt;
    return body;
}

void refuse(const net::exchange_ptr& x, int status, std::string_view message) {
    x->respond(status, json_type,
               R"({"error":{"message":)" + codec::json::to_json_string(message)
                   + R"(,"type":"invalid_request_error","param":null,"code":null}})");
}

} // namespace

void test_control::serve(time_conductor& conductor, const net::clock& time, std::function<void(std::uint64_t)> seed) {
    conductor_ = &conductor;
    time_ = &time;
    seed_ = std::move(seed);
}

// The conductor answers on whichever loop came last; an exchange lives on its own. The pointer travels in a holder, since
// its count is not for two threads.
void test_control::answer_later(net::loop& on, const net::exchange_ptr& x,
                                std::function<void(std::function<void(std::string)>)> work) {
    auto holder = std::make_shared<net::exchange_ptr>(x);
    work([&on, holder = std::move(holder)](std::string body) mutable {
        on.post([holder = std::move(holder), body = std::move(body)] {
            (*holder)->respond(200, json_type, body);
            *holder = nullptr;
        });
    });
}

void test_control::on_request(gateway::worker_context& worker, const net::exchange_ptr& x, std::string_view path) {
    const auto method = x->request().method();
    if (path == "/test/timers" && method == "GET") {
        answer_later(worker.on, x, [this](auto answer) {
            conductor_->snapshot(
                [this, answer](const std::vector<net::armed_timer>& all) { answer(timers_json(*time_, all)); });
        });
        return;
    }
    const auto body = method == "POST" ? parse(x->body()) : std::nullopt;
    if (path == "/test/advance" && method == "POST") {
        if (!body || !body->ms || *body->ms < 0 || *body->ms > longest_advance_ms) {
            refuse(x, 400, "ms: must be a whole number of milliseconds, from 0 to a year");
            return;
        }
        std::optional<net::timer_kind> kind;
        if (body->until_armed && !(kind = net::timer_kind_from(*body->until_armed))) {
            refuse(x, 400, "until_armed: must be the kind of a timer");
            return;
        }
        answer_later(worker.on, x, [this, kind, by = base::milliseconds(*body->ms)](auto answer) {
            conductor_->advance(by, kind,
                                [this, answer] { answer("{\"now_ms\":" + std::to_string(to_ms(time_->now())) + "}"); });
        });
        return;
    }
    if (path == "/test/seed" && method == "POST") {
        if (!body || !body->seed || *body->seed < 0) {
            refuse(x, 400, "seed: must be a whole number, 0 or more");
            return;
        }
        seed_(static_cast<std::uint64_t>(*body->seed));
        x->respond(200, json_type, "{}");
        return;
    }
    refuse(x, 404, "There is nothing at this path.");
}

} // namespace turnout::server
