// How long a deployment is waited for before it is asked again.
#include <chrono>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;
using enum route_action_type;

/// A budget that outlasts every test.
const route_plan patiently{.max_attempts = 20};

// 0.5 s, 1 s, 2 s, 4 s, 8 s, 8 s
TEST(route_wait, doubles_with_every_wait_of_the_request) {
    RecordProperty("rules", "RTY-WAIT-001");
    driven fix({{1}}, patiently);
    fix.random.fixed = 0;
    fix.begin_request();
    std::vector<base::duration> waits;
    for (int i = 0; i < 7; ++i) {
        fix.fail(status(500));
        waits.push_back(fix.wait());
        fix.wait_out();
        EXPECT_EQ(fix.action.type, start_attempt);
    }
    EXPECT_THAT(waits, ElementsAre(500ms, 1s, 2s, 4s, 8s, 8s, 8s));
    fix.succeed();
    EXPECT_EQ(fix.fsm.attempts()[0].waited, 0s);
    EXPECT_EQ(fix.fsm.attempts()[1].waited, 500ms);
    EXPECT_EQ(fix.fsm.last_attempt().waited, 8s);
}

// The count is that of the request, not of the deployment
TEST(route_wait, counts_the_waits_for_every_deployment) {
    driven fix({{1, 1}}, patiently);
    fix.begin_request();
    fix.fail(status(500));
    fix.random.fixed = 0;
    fix.fail(status(500));
    EXPECT_EQ(fix.wait(), 500ms);
    const auto first = fix.action.target;
    fix.wait_out();
    fix.fail(status(500));
    EXPECT_EQ(fix.wait(), 1s);
    EXPECT_EQ(fix.action.target, 1 - first);
}

TEST(route_wait, is_at_least_retry_after_seconds) {
    RecordProperty("rules", "RTY-WAIT-002");
    driven fix({{1}}, {.max_attempts = 20, .retry_after = 3s});
    fix.random.fixed = 0;
    fix.begin_request();
    std::vector<base::duration> waits;
    for (int i = 0; i < 4; ++i) {
        fix.fail(status(500));
        waits.push_back(fix.wait());
        fix.wait_out();
    }
    EXPECT_THAT(waits, ElementsAre(3s, 3s, 3s, 4s));
}

TEST(route_wait, is_at_least_what_the_provider_asks_for) {
    RecordProperty("rules", "RTY-WAIT-003");
    driven fix({{1}}, patiently);
    fix.random.fixed = 0;
    fix.begin_request();
    fix.fail(asks_to_wait(503, 7s));
    EXPECT_EQ(fix.wait(), 7s);
    fix.wait_out();
    fix.fail(asks_to_wait(503, 900ms)); // less than the second backoff
    EXPECT_EQ(fix.wait(), 1s);
}

// It counts from the answer's arrival: what was spent on others is no longer waited for
TEST(route_wait, counts_what_the_provider_asks_for_from_its_answer) {
    driven fix({{1, 1}}, patiently);
    const auto first = fix.begin_request().target;
    fix.fail(asks_to_wait(503, 10s));
    fix.now += 4s;
    fix.block(static_cast<position>(1 - first), obstacle::limit);
    fix.random.fixed = 0;
    fix.fail(status(500));
    EXPECT_EQ(fix.action.target, first);
    EXPECT_EQ(fix.wait(), 6s);
}

TEST(route_wait, honours_sixty_seconds) {
    RecordProperty("rules", "RTY-WAIT-004");
    driven fix({{1}}, patiently);
    fix.random.fixed = 0;
    fix.begin_request();
    fix.fail(asks_to_wait(503, 60s));
    EXPECT_EQ(fix.wait(), 60s);
}

TEST(route_wait, gives_up_whoever_asks_for_more_than_sixty_seconds) {
    driven fix({{1}}, patiently);
    fix.random.fixed = 0;
    fix.begin_request();
    EXPECT_EQ(fix.fail(asks_to_wait(503, 60001ms)).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
}

TEST(route_wait, goes_on_with_the_others_if_one_asks_for_too_long_a_wait) {
    driven fix({{1, 1}}, patiently);
    const auto first = fix.begin_request().target;
    fix.fail(asks_to_wait(503, 61s));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(fix.fail(status(500)).target, 1 - first);
        fix.wait_out();
    }
}

// Up to a quarter more, by chance
TEST(route_wait, is_spread_by_up_to_a_quarter) {
    for (const auto& [bits, least, most] :
         {std::tuple{std::uint64_t{0}, 8000ms, 8000ms}, std::tuple{std::uint64_t{1} << 63U, 9000ms, 9000ms},
          std::tuple{std::numeric_limits<std::uint64_t>::max(), 9999ms, 10000ms}}) {
        driven fix({{1}}, patiently);
        fix.random.fixed = bits;
        fix.begin_request();
        fix.fail(asks_to_wait(503, 8s));
        EXPECT_GE(fix.wait(), least);
        EXPECT_LE(fix.wait(), most);
    }
}

TEST(route_wait, differs_from_request_to_request) {
    driven fix({{1}}, patiently);
    fix.begin_request();
    fix.fail(status(500));
    const auto first = fix.wait();
    driven other({{1}}, patiently);
    other.random.next();
    other.begin_request();
    other.fail(status(500));
    EXPECT_NE(first, other.wait());
}

// A wait that would end at the deadline is not begun; one that ends just before it is
TEST(route_wait, is_not_begun_if_it_would_pass_the_total_time) {
    RecordProperty("rules", "RTY-WAIT-006");
    for (const auto& [left, begun] : {std::pair{500ms + 1ns, true}, std::pair{base::duration{500ms}, false}}) {
        driven fix({{1}}, {.deadline = driven::begin + 10s});
        fix.random.fixed = 0;
        fix.begin_request();
        fix.now = driven::begin + 10s - left;
        EXPECT_EQ(fix.fail(status(500)).type, begun ? wait : finish);
        if (!begun) {
            EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
        }
    }
}

TEST(route_wait, is_not_begun_if_its_spread_would_pass_the_total_time) {
    driven fix({{1}}, {.deadline = driven::begin + 10s});
    fix.random.fixed = std::numeric_limits<std::uint64_t>::max();
    fix.begin_request();
    EXPECT_EQ(fix.fail(asks_to_wait(503, 8001ms)).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
}

// Another may have a shorter wait
TEST(route_wait, goes_on_with_the_others_if_one_would_pass_the_total_time) {
    driven fix({{1, 1}}, {.max_attempts = 3, .deadline = driven::begin + 10s});
    const auto first = fix.begin_request().target;
    fix.fail(asks_to_wait(503, 11s));
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    EXPECT_EQ(fix.action.target, 1 - first);
}

TEST(route_wait, ends_when_the_client_leaves) {
    RecordProperty("rules", "RTY-WAIT-007");
    driven fix({{1}}, patiently);
    fix.begin_request();
    fix.fail(status(500));
    EXPECT_EQ(fix.tell(client_left{}).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::client_gone);
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(1));
}

} // namespace
} // namespace turnout::routing
