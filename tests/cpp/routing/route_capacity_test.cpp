// Which capacity circuits a request waits for.
#include <chrono>
#include <limits>
#include <tuple>
#include <utility>

#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using testing::SizeIs;
using enum route_action_type;

/// A 429, and the capacity circuit that the state opens for it.
route_action throttle(driven& fix, std::initializer_list<position> domain, base::duration length,
                      const base::failure_report& report = status(429)) {
    for (const auto p : domain) fix.block(p, obstacle::capacity, length);
    return fix.fail(report);
}

// The circuit lasts 5 s although the provider asks for 2 s: asked again after 5 s to 6.25 s
class own_capacity : public testing::TestWithParam<std::tuple<std::uint64_t, base::duration, base::duration>> {};

TEST_P(own_capacity, is_waited_for) {
    const auto [bits, least, most] = GetParam();
    driven fix({{1}});
    fix.random.fixed = bits;
    fix.begin_request();
    EXPECT_EQ(throttle(fix, {0}, 5s, asks_to_wait(429, 2s)).type, wait);
    EXPECT_GE(fix.wait(), least);
    EXPECT_LE(fix.wait(), most);
    EXPECT_EQ(fix.wait_out().type, start_attempt);
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::served);
}

INSTANTIATE_TEST_SUITE_P(with_jitter, own_capacity,
                         testing::Values(std::tuple{std::uint64_t{0}, 5s, 5s},
                                         std::tuple{std::uint64_t{1} << 63U, 5625ms, 5625ms},
                                         std::tuple{std::numeric_limits<std::uint64_t>::max(), 6249ms, 6250ms}));

TEST(route_capacity, is_not_waited_for_by_another_request) {
    RecordProperty("rules", "RTY-CAPACITY-002");
    driven fix({{1}});
    fix.block(0, obstacle::capacity, 5s);
    EXPECT_EQ(fix.begin_request().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::no_candidate);
    EXPECT_EQ(fix.outcome().shortfall, shortage::limits);
    EXPECT_EQ(fix.outcome().retry_after, 5s);
}

// A longer backoff, or what the provider asks for, prolongs the wait
TEST(route_capacity, waits_no_shorter_than_any_other_wait) {
    driven fix({{1}}, {.retry_after = 8s});
    fix.random.fixed = 0;
    fix.begin_request();
    throttle(fix, {0}, 5s);
    EXPECT_EQ(fix.wait(), 8s);

    driven asked({{1}});
    asked.random.fixed = 0;
    asked.begin_request();
    throttle(asked, {0}, 5s, asks_to_wait(429, 9s));
    EXPECT_EQ(asked.wait(), 9s);
}

// Exactly 60 s are waited for, no more
TEST(route_capacity, is_waited_for_up_to_sixty_seconds) {
    RecordProperty("rules", "RTY-CAPACITY-003");
    for (const auto& [length, waits] : {std::pair{base::duration{60s}, true}, std::pair{60s + 1ns, false}}) {
        driven fix({{1}});
        fix.random.fixed = 0;
        fix.begin_request();
        EXPECT_EQ(throttle(fix, {0}, length).type, waits ? wait : finish);
        if (waits) {
            EXPECT_EQ(fix.wait(), 60s);
        }
    }
}

TEST(route_capacity, is_not_waited_for_beyond_the_total_time) {
    for (const auto& [length, waits] : {std::pair{10s - 1ns, true}, std::pair{base::duration{10s}, false}}) {
        driven fix({{1}}, {.deadline = driven::begin + 10s});
        fix.random.fixed = 0;
        fix.begin_request();
        EXPECT_EQ(throttle(fix, {0}, length).type, waits ? wait : finish);
        if (!waits) {
            EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
        }
    }
}

// The first of several to end
TEST(route_capacity, waits_for_the_first_to_end) {
    driven fix({{1, 1}});
    const auto first = fix.begin_request().target;
    throttle(fix, {first}, 9s);
    throttle(fix, {static_cast<position>(1 - first)}, 4s);
    EXPECT_EQ(fix.action.type, wait);
    EXPECT_EQ(fix.action.target, 1 - first);
    EXPECT_GE(fix.wait(), 4s);
    EXPECT_LT(fix.wait(), 5s);
    EXPECT_EQ(fix.wait_out().target, 1 - first);
}

TEST(route_capacity, of_a_hop_is_waited_for_as_well) {
    driven fix(routes({{1}, {1}}).general({1}), {.max_attempts = 4});
    fix.begin_request();
    throttle(fix, {0}, 9s);
    EXPECT_EQ(throttle(fix, {1}, 4s).type, wait);
    EXPECT_EQ(fix.action.target, 1);
    EXPECT_EQ(fix.wait_out().target, 1);

    // and then the primary's, which ends sooner by now
    EXPECT_EQ(throttle(fix, {1}, 20s).type, wait);
    EXPECT_EQ(fix.action.target, 0);
    EXPECT_EQ(fix.wait_out().target, 0);
}

// One account behind several: the circuit that one met stands before the others too, and who was not asked is waited
// for no longer than that
TEST(route_capacity, is_met_for_the_whole_failure_domain) {
    driven fix(routes({{1, 1}}).share_domain({0, 1}), {.max_attempts = 2, .retry_after = 30s});
    const auto first = fix.begin_request().target;
    EXPECT_EQ(throttle(fix, {0, 1}, 5s).type, wait);
    fix.random.fixed = 0;
    if (fix.action.target != first) {
        EXPECT_LE(fix.wait(), 6250ms);
    }
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(1));
}

TEST(route_capacity, of_another_domain_is_not_waited_for) {
    driven fix({{1, 1}});
    const auto first = fix.begin_request().target;
    fix.block(static_cast<position>(1 - first), obstacle::capacity, 1s); // others opened it
    EXPECT_EQ(throttle(fix, {first}, 2s).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
}

// A domain whose answers were no 429 is not met
TEST(route_capacity, is_met_by_a_throttle_only) {
    driven fix({{1}});
    fix.begin_request();
    EXPECT_EQ(throttle(fix, {0}, 2s, status(500)).type, finish);
}

// Anything else in the way of any remaining candidate: no wait
class something_else : public testing::TestWithParam<obstacle> {};

TEST_P(something_else, in_the_way_of_one_is_not_waited_for) {
    driven fix({{1, 1}});
    const auto first = fix.begin_request().target;
    fix.block(first, GetParam(), 1s);
    fix.fail(status(500));
    EXPECT_EQ(throttle(fix, {static_cast<position>(1 - first)}, 2s).type, finish);
    EXPECT_EQ(fix.outcome().deciding, 1U);
}

INSTANTIATE_TEST_SUITE_P(beside_capacity, something_else,
                         testing::Values(obstacle::circuit, obstacle::probe, obstacle::limit));

// Who is no candidate any more stands in nobody's way
TEST(route_capacity, is_waited_for_whatever_stands_before_those_that_are_given_up) {
    driven unfitting({{1, 1}});
    const auto first = unfitting.begin_request().target;
    unfitting.fail(unfit());
    EXPECT_EQ(throttle(unfitting, {static_cast<position>(1 - first)}, 2s).type, wait);

    driven too_slow({{1, 1}});
    const auto slow = too_slow.begin_request().target;
    too_slow.block(slow, obstacle::circuit);
    too_slow.fail(asks_to_wait(503, 61s));
    EXPECT_EQ(throttle(too_slow, {static_cast<position>(1 - slow)}, 2s).type, wait);
}

TEST(route_capacity, is_waited_for_whatever_stands_before_the_weightless) {
    for (const auto how : {strategy::simple_shuffle, strategy::price_based, strategy::health_aware}) {
        driven fix({{0, 1}}, {.how = how});
        fix.block(0, obstacle::circuit);
        EXPECT_EQ(fix.begin_request().target, 1);
        EXPECT_EQ(throttle(fix, {1}, 2s).type, wait);
    }

    // Without a value it is no candidate under these either, and its own circuit stands in nobody's way.
    for (const auto how : {strategy::latency_based, strategy::throughput_based}) {
        driven fix({{0, 1}}, {.how = how});
        fix.block(0, obstacle::circuit);
        EXPECT_EQ(fix.begin_request().target, 1);
        EXPECT_EQ(throttle(fix, {1}, 2s).type, wait);
    }

    // Under these weight says nothing.
    for (const auto how : {strategy::least_busy, strategy::usage_based_rpm, strategy::usage_based_tpm}) {
        driven fix({{0, 1}}, {.how = how});
        fix.block(0, obstacle::circuit);
        EXPECT_EQ(fix.begin_request().target, 1);
        EXPECT_EQ(throttle(fix, {1}, 2s).type, finish);
    }
}

TEST(route_capacity, is_waited_for_if_another_has_no_time_left) {
    driven fix(routes({{1, 1}}).total(0, 3s).total(1, 100s), {.max_attempts = 5});
    while (fix.fsm.attempts().empty() || fix.action.type == start_attempt) {
        if (fix.action.type == none) fix.begin_request();
        const auto p = fix.action.target;
        if (p == 0) fix.now = std::max(fix.now, driven::begin + 3s);
        throttle(fix, {p}, p == 0 ? 1s : 20s);
    }
    EXPECT_EQ(fix.action.type, wait);
    EXPECT_EQ(fix.action.target, 1);
}

// Somebody who can be asked goes before a wait for capacity
TEST(route_capacity, is_not_waited_for_while_another_can_be_asked_again) {
    driven fix({{1, 1}});
    const auto first = fix.begin_request().target;
    throttle(fix, {first}, 100ms);
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    EXPECT_EQ(fix.action.target, 1 - first);
}

// A circuit that was lengthened meanwhile is waited for again
TEST(route_capacity, that_got_longer_is_waited_for_again) {
    driven fix({{1}});
    fix.random.fixed = 0;
    fix.begin_request();
    throttle(fix, {0}, 5s);
    fix.gates[0].until += 3s;
    EXPECT_EQ(fix.wait_out().type, wait);
    EXPECT_EQ(fix.wait(), 3s);
    EXPECT_EQ(fix.wait_out().type, start_attempt);
    fix.succeed();
    EXPECT_EQ(fix.fsm.last_attempt().waited, 8s);
}

} // namespace
} // namespace turnout::routing
