#include <chrono>
#include <functional>
#include <string>

#include "gateway/running.hpp"
#include "state/test_stores.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// State that answers when the test says so: much can happen to a request meanwhile.
class slow_store : public running {
protected:
    slow_store() {
        asked = &deferred;
        settings.router.of(config::operation::chat).json.total = 10s; // shorter than a slot lives by itself
    }

    void await_question() {
        turns().until([&] { return in_flight() == 1; });
    }
    /// A slot that was taken for a request that is over is given back.
    void expect_slot_given_back() {
        EXPECT_EQ(in_flight(), 1U);
        answers.turn();
        turns().turn();
        EXPECT_FALSE(up_a.has_request());
        expect_nothing_left();
    }

    /// What is still to be answered belongs to the worker's loop and does not outlive it.
    void TearDown() override {
        answers.turn();
        running::TearDown();
    }

    state::hand_turned_loop answers;
    state::deferred_store deferred{store, [this](std::function<void()> work) { answers.defer(std::move(work)); }};
};

TEST_F(slow_store, is_waited_for_at_every_attempt) {
    auto c = client();
    c.send(chat());
    await_question();
    EXPECT_FALSE(up_a.has_request());
    answers.turn();
    await_request(up_a);
    up_a.answer(500, "{}");
    turns().until([&] { return up_a.talks.open() && in_flight() == 1 && timers().armed(net::timer_kind::pool_idle); });
    EXPECT_FALSE(up_b.has_request());
    answers.turn();
    await_request(up_b);
    up_b.answer(200, good_answer);
    await(c, "hello");
    expect_nothing_left();
}

TEST_F(slow_store, that_answers_after_the_client_left_gets_its_slot_back) {
    auto c = client();
    c.send(chat());
    await_question();
    c.close();
    turns().turn();
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=499")));
    expect_slot_given_back();
}

TEST_F(slow_store, that_answers_after_the_total_was_spent_gets_its_slot_back) {
    auto c = client();
    c.send(chat());
    await_question();
    turns().pass(10s);
    EXPECT_THAT(c.read(), AllOf(StartsWith("HTTP/1.1 504 "), HasSubstr("x-should-retry: false\r\n")));
    expect_slot_given_back();
}

TEST_F(slow_store, that_answers_after_the_next_request_began_leaves_that_alone) {
    auto c = client();
    c.send(chat());
    await_question();
    turns().pass(10s);
    c.take();
    c.send(chat("", "x-request-id: second\r\n"));
    turns().until([&] { return in_flight() == 2; });
    answers.turn();
    await_request(up_a);
    EXPECT_THAT(up_a.talks.read(), HasSubstr("x-request-id: second\r\n"));
    EXPECT_EQ(in_flight(), 1U);
    up_a.answer(200, good_answer);
    await(c, "hello");
    expect_nothing_left();
}

TEST_F(slow_store, that_never_answers_does_not_keep_the_worker_from_stopping) {
    auto c = client();
    c.send(chat());
    await_question();
    gateway().stop(30s);
    turns().turn();
    turns().pass(30s);
    turns().until([&] { return gateway().on().context().stopped(); });
    EXPECT_TRUE(c.ended());
    answers.turn();
}

class failing_store : public running {
protected:
    failing_store() { asked = &failing; }

    state::failing_store failing{store, 1};
};

TEST_F(failing_store, is_told_as_a_service_that_is_not_available) {
    auto c = client();
    c.send(chat());
    await(c, "\r\n\r\n{");
    EXPECT_THAT(c.read(),
                AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("service_unavailable"), HasSubstr("retry-after: 1\r\n")));
    expect_nothing_left();
}

} // namespace
} // namespace turnout::gateway
