#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "net/loop.hpp"
#include "net/loopback.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class loop_test : public testing::Test {
protected:
    static timer recorder(std::vector<std::string>& into) {
        return {[](void* c) { static_cast<std::vector<std::string>*>(c)->emplace_back("fired"); }, &into};
    }

    clock time{clock::mode::manual};
    loop on{time};
    hand_turned turns{on};
    std::vector<std::string> seen;
};

TEST_F(loop_test, runs_what_is_posted_from_another_thread) {
    std::thread other([this] { on.post([this] { seen.emplace_back("posted"); }); });
    other.join();
    turns.turn();
    EXPECT_THAT(seen, ElementsAre("posted"));
}

TEST_F(loop_test, runs_until_it_is_stopped) {
    std::thread runner([this] { on.run(); });
    on.post([this] { seen.emplace_back("posted"); });
    on.stop();
    runner.join();
    EXPECT_THAT(seen, ElementsAre("posted"));
}

TEST_F(loop_test, on_a_manual_clock_fires_only_when_told) {
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    turns.turn();
    time.move_to(on.now() + 1s);
    turns.turn();
    EXPECT_THAT(seen, IsEmpty());
    on.expire();
    EXPECT_THAT(seen, ElementsAre("fired"));
}

TEST_F(loop_test, on_a_real_clock_fires_by_itself) {
    clock real{clock::mode::real};
    loop running{real};
    auto t = recorder(seen);
    running.timers().arm(t, timer_kind::idle, 1ms, running.now());
    EXPECT_TRUE(hand_turned(running).until([this] { return !seen.empty(); }));
}

TEST_F(loop_test, fires_by_itself_when_a_manual_clock_is_let_run) {
    time.let_run();
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::shutdown, 1ms, on.now());
    EXPECT_TRUE(turns.until([this] { return !seen.empty(); }));
}

TEST_F(loop_test, notifies_at_once_of_a_timer_that_is_armed) {
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    on.when_armed(timer_kind::idle, [this] { seen.emplace_back("armed"); });
    EXPECT_THAT(seen, ElementsAre("armed"));
}

TEST_F(loop_test, notifies_once_of_a_timer_that_is_armed_later) {
    auto t = recorder(seen);
    on.when_armed(timer_kind::idle, [this] { seen.emplace_back("armed"); });
    on.timers().arm(t, timer_kind::response, 10ms, on.now());
    EXPECT_THAT(seen, IsEmpty());
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    EXPECT_THAT(seen, ElementsAre("armed"));
}

TEST_F(loop_test, notifies_of_an_earlier_timer_no_more_once_it_fired) {
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    turns.pass(10ms);
    on.when_armed(timer_kind::idle, [this] { seen.emplace_back("armed"); });
    EXPECT_THAT(seen, ElementsAre("fired"));
}

} // namespace
} // namespace turnout::net
