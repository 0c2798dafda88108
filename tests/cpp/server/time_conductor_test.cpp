#include <array>
#include <chrono>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "server/time_conductor.hpp"

namespace turnout::server {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two loops on threads of their own, and a diary of what fired on them and when.
class time_conductor_test : public testing::Test {
protected:
    /// A timer that writes its name and the time down, then does what the test says. Armed on its loop's thread.
    struct alarm {
        alarm(time_conductor_test& t, net::loop& l, std::string n)
            : test(t),
              on(l),
              name(std::move(n)),
              deadline(
                  [](void* c) {
                      auto* self = static_cast<alarm*>(c);
                      self->test.write(self->name);
                      if (self->then) self->then();
                  },
                  this) {}

        time_conductor_test& test;
        net::loop& on;
        std::string name;
        std::function<void()> then;
        net::timer deadline;
    };

    time_conductor_test() {
        for (auto* l : {&first, &second}) threads.emplace_back([l] { l->run(); });
    }
    ~time_conductor_test() override { stop(); }

    void stop() {
        first.stop();
        second.stop();
        for (auto& t : threads)
            if (t.joinable()) t.join();
    }

    void write(const std::string& name) {
        const std::scoped_lock lock(mutex);
        diary.push_back(name + " " + std::to_string((time.now() - start) / 1ms));
    }
    std::vector<std::string> written() {
        const std::scoped_lock lock(mutex);
        return diary;
    }

    static void arm_now(alarm& a, base::duration after, net::timer_kind kind) {
        a.on.timers().arm(a.deadline, kind, after, a.on.now());
    }
    /// From the test's thread; back when it is armed.
    static void arm(alarm& a, base::duration after, net::timer_kind kind = net::timer_kind::response) {
        std::promise<void> armed;
        a.on.post([&] {
            arm_now(a, after, kind);
            armed.set_value();
        });
        armed.get_future().get();
    }

    std::future<void> start_advance(base::duration by, std::optional<net::timer_kind> until_armed = std::nullopt) {
        auto promise = std::make_shared<std::promise<void>>();
        auto future = promise->get_future();
        conductor.advance(by, until_armed, [promise] { promise->set_value(); });
        return future;
    }
    void advance(base::duration by) { start_advance(by).get(); }
    base::duration passed() const { return time.now() - start; }

    net::clock time{net::clock::mode::manual};
    const base::instant start = time.now();
    net::loop first{time};
    net::loop second{time};
    time_conductor conductor{time, {&first, &second}};
    std::mutex mutex;
    std::vector<std::string> diary;
    std::vector<std::thread> threads;
    alarm a{*this, first, "a"};
    alarm b{*this, second, "b"};
    alarm c{*this, first, "c"};
};

TEST_F(time_conductor_test, moves_time_by_what_is_asked) {
    advance(1500ms);
    EXPECT_EQ(passed(), 1500ms);
    advance(0ms);
    EXPECT_EQ(passed(), 1500ms);
}

TEST_F(time_conductor_test, fires_deadlines_of_all_loops_in_order_each_at_its_own_time) {
    arm(a, 30ms);
    arm(b, 20ms);
    arm(c, 10ms);
    advance(100ms);
    EXPECT_THAT(written(), ElementsAre("c 10", "b 20", "a 30"));
    EXPECT_EQ(passed(), 100ms);
}

TEST_F(time_conductor_test, fires_what_is_due_exactly_and_nothing_later) {
    arm(a, 50ms);
    arm(b, 50ms + 1ns);
    advance(50ms);
    EXPECT_THAT(written(), ElementsAre("a 50"));
    advance(1ms);
    EXPECT_THAT(written(), ElementsAre("a 50", "b 50"));
}

TEST_F(time_conductor_test, fires_what_deadlines_arm_on_another_loop_meanwhile) {
    a.then = [this] { second.post([this] { arm_now(b, 5ms, net::timer_kind::idle); }); };
    b.then = [this] { first.post([this] { arm_now(c, 5ms, net::timer_kind::idle); }); };
    arm(a, 10ms);
    advance(20ms);
    EXPECT_THAT(written(), ElementsAre("a 10", "b 15", "c 20"));
}

TEST_F(time_conductor_test, fires_a_deadline_again_and_again) {
    a.then = [this] { arm_now(a, 20s, net::timer_kind::lease); };
    arm(a, 20s, net::timer_kind::lease);
    advance(60s);
    EXPECT_THAT(written(), ElementsAre("a 20000", "a 40000", "a 60000"));
}

TEST_F(time_conductor_test, moves_at_once_when_the_awaited_timer_is_armed_already) {
    arm(b, 10ms, net::timer_kind::idle);
    start_advance(10ms, net::timer_kind::idle).get();
    EXPECT_THAT(written(), ElementsAre("b 10"));
}

TEST_F(time_conductor_test, waits_until_the_awaited_timer_is_armed) {
    auto moved = start_advance(10ms, net::timer_kind::idle);
    arm(a, 1h, net::timer_kind::response);
    EXPECT_EQ(passed(), 0ms);
    EXPECT_EQ(moved.wait_for(0s), std::future_status::timeout);
    arm(b, 10ms, net::timer_kind::idle);
    moved.get();
    EXPECT_THAT(written(), ElementsAre("b 10"));
}

TEST_F(time_conductor_test, moves_once_when_both_loops_arm_the_awaited_timer) {
    auto moved = start_advance(10ms, net::timer_kind::idle);
    arm(a, 10ms, net::timer_kind::idle);
    arm(b, 20ms, net::timer_kind::idle);
    moved.get();
    EXPECT_EQ(passed(), 10ms);
    advance(0ms);
    EXPECT_EQ(passed(), 10ms);
}

TEST_F(time_conductor_test, makes_one_move_after_the_other) {
    auto first_move = start_advance(10ms, net::timer_kind::idle);
    auto second_move = start_advance(1s);
    EXPECT_EQ(second_move.wait_for(0s), std::future_status::timeout);
    EXPECT_EQ(passed(), 0ms);
    arm(a, 1s, net::timer_kind::idle);
    first_move.get();
    second_move.get();
    EXPECT_THAT(written(), ElementsAre("a 1000"));
    EXPECT_EQ(passed(), 1010ms);
}

TEST_F(time_conductor_test, can_be_called_from_many_threads) {
    std::vector<std::thread> callers;
    for (int i = 0; i < 8; ++i) callers.emplace_back([this] { advance(10ms); });
    for (auto& t : callers) t.join();
    EXPECT_EQ(passed(), 80ms);
}

TEST_F(time_conductor_test, shows_all_timers_by_due_time) {
    const std::string request = "req_1";
    arm(a, 30ms, net::timer_kind::total);
    std::promise<void> armed;
    second.post([&] {
        second.timers().arm(b.deadline, net::timer_kind::idle, 20ms, second.now(), &request);
        armed.set_value();
    });
    armed.get_future().get();
    std::promise<std::vector<net::armed_timer>> shown;
    conductor.snapshot([&](std::vector<net::armed_timer> all) { shown.set_value(std::move(all)); });
    const auto all = shown.get_future().get();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].kind, net::timer_kind::idle);
    EXPECT_EQ(all[0].request, "req_1");
    EXPECT_EQ(all[0].due, start + 20ms);
    EXPECT_EQ(all[1].kind, net::timer_kind::total);

    const auto ms = [&](base::duration d) { return std::to_string(to_ms(start + d)); };
    EXPECT_EQ(timers_json(time, all), "{\"now_ms\":" + ms(0ms)
                                          + R"(,"timers":[{"kind":"idle","request":"req_1","due_ms":)" + ms(20ms)
                                          + R"(},{"kind":"total","request":null,"due_ms":)" + ms(30ms) + "}]}");
    stop();
}

TEST_F(time_conductor_test, shows_that_there_are_no_timers) {
    EXPECT_EQ(timers_json(time, {}), "{\"now_ms\":" + std::to_string(to_ms(start)) + ",\"timers\":[]}");
}

} // namespace
} // namespace turnout::server
