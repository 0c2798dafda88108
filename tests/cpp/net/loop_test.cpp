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

class Loop : public testing::Test {
protected:
    static timer recorder(std::vector<std::string>& into) {
        return {[](void* c) { static_cast<std::vector<std::string>*>(c)->emplace_back("fired"); }, &into};
    }

    clock time{clock::mode::manual};
    loop on{time};
    hand_turned turns{on};
    std::vector<std::string> seen;
};

TEST_F(Loop, RunsWhatIsPostedFromAnotherThread) {
    std::thread other([this] { on.post([this] { seen.emplace_back("posted"); }); });
    other.join();
    turns.turn();
    EXPECT_THAT(seen, ElementsAre("posted"));
}

TEST_F(Loop, RunsUntilItIsStopped) {
    std::thread runner([this] { on.run(); });
    on.post([this] { seen.emplace_back("posted"); });
    on.stop();
    runner.join();
    EXPECT_THAT(seen, ElementsAre("posted"));
}

TEST_F(Loop, OnAManualClockFiresOnlyWhenTold) {
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    turns.turn();
    time.move_to(on.now() + 1s);
    turns.turn();
    EXPECT_THAT(seen, IsEmpty());
    on.expire();
    EXPECT_THAT(seen, ElementsAre("fired"));
}

TEST_F(Loop, OnARealClockFiresByItself) {
    clock real{clock::mode::real};
    loop running{real};
    auto t = recorder(seen);
    running.timers().arm(t, timer_kind::idle, 1ms, running.now());
    EXPECT_TRUE(hand_turned(running).until([this] { return !seen.empty(); }));
}

TEST_F(Loop, FiresByItselfWhenAManualClockIsLetRun) {
    time.let_run();
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::shutdown, 1ms, on.now());
    EXPECT_TRUE(turns.until([this] { return !seen.empty(); }));
}

TEST_F(Loop, NotifiesAtOnceOfATimerThatIsArmed) {
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    on.when_armed(timer_kind::idle, [this] { seen.emplace_back("armed"); });
    EXPECT_THAT(seen, ElementsAre("armed"));
}

TEST_F(Loop, NotifiesOnceOfATimerThatIsArmedLater) {
    auto t = recorder(seen);
    on.when_armed(timer_kind::idle, [this] { seen.emplace_back("armed"); });
    on.timers().arm(t, timer_kind::response, 10ms, on.now());
    EXPECT_THAT(seen, IsEmpty());
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    EXPECT_THAT(seen, ElementsAre("armed"));
}

TEST_F(Loop, NotifiesOfAnEarlierTimerNoMoreOnceItFired) {
    auto t = recorder(seen);
    on.timers().arm(t, timer_kind::idle, 10ms, on.now());
    turns.pass(10ms);
    on.when_armed(timer_kind::idle, [this] { seen.emplace_back("armed"); });
    EXPECT_THAT(seen, ElementsAre("fired"));
}

} // namespace
} // namespace turnout::net
