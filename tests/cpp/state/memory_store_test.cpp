#include <array>
#include <vector>

#include <gmock/gmock.h>

#include "state/memory_store.hpp"
#include "state/test_stores.hpp"

namespace turnout::state {
namespace {

constexpr std::array<deployment_ref, 1> asked{};
constexpr routing::circuit_settings settings;

routing::deployment_snapshot read(store& s) {
    routing::deployment_snapshot result;
    s.read({}, asked, settings,
           [&](state_error, std::span<const routing::deployment_snapshot> snapshots) { result = snapshots[0]; });
    return result;
}

permit admit(store& s) {
    permit result;
    s.admit({}, asked, settings, [&](state_error, const admission& a) { result = a.permit; });
    return result;
}

state_error settle(store& s, const permit& held) {
    auto result = state_error::unavailable;
    s.settle({}, asked[0], held, {}, settings, [&](state_error error, routing::circuit_effect) { result = error; });
    return result;
}

// A completion may use the store: it does not run under the lock
TEST(memory_store, may_be_used_from_its_own_completions) {
    memory_store store;
    std::vector<std::uint32_t> seen;
    store.admit({}, asked, settings, [&](state_error, const admission& a) {
        const auto held = a.permit;
        seen.push_back(read(store).in_flight);
        store.settle({}, asked[0], held, {}, settings,
                     [&](state_error, routing::circuit_effect) { seen.push_back(read(store).in_flight); });
    });
    EXPECT_THAT(seen, testing::ElementsAre(1, 0));
}

// What a completion was given stays as it is while the completion uses the store
TEST(memory_store, keeps_what_a_completion_sees) {
    memory_store store;
    store.read({}, asked, settings, [&](state_error, std::span<const routing::deployment_snapshot> before) {
        admit(store);
        EXPECT_EQ(read(store).in_flight, 1U);
        EXPECT_EQ(before[0].in_flight, 0U);
    });
}

// The test back ends do what their names say, else the suites that run on them prove nothing
TEST(deferred_store, completes_a_turn_later) {
    memory_store memory;
    hand_turned_loop loop;
    deferred_store store(memory, [&](std::function<void()> work) { loop.defer(std::move(work)); });
    int completions = 0;
    store.admit({}, asked, settings, [&](state_error, const admission&) { ++completions; });
    store.settle({}, asked[0], {}, {}, settings, [&](state_error, routing::circuit_effect) { ++completions; });
    store.read({}, asked, settings, [&](state_error, std::span<const routing::deployment_snapshot>) { ++completions; });
    EXPECT_EQ(completions, 0);
    loop.turn();
    EXPECT_EQ(completions, 3);
}

TEST(failing_store, fails_every_nth_verb) {
    memory_store memory;
    failing_store store(memory, 3);
    std::vector<state_error> errors;
    for (int i = 0; i < 6; ++i) {
        store.admit({}, asked, settings, [&](state_error error, const admission&) { errors.push_back(error); });
    }
    using enum state_error;
    EXPECT_THAT(errors, testing::ElementsAre(none, none, unavailable, none, none, unavailable));
    EXPECT_EQ(read(memory).in_flight, 4U);
}

TEST(failing_store, loses_what_it_fails) {
    memory_store memory;
    failing_store store(memory, 2);
    const auto held = admit(store);
    EXPECT_EQ(settle(store, held), state_error::unavailable);
    EXPECT_EQ(read(memory).in_flight, 1U);
    EXPECT_EQ(settle(store, held), state_error::none);
    EXPECT_EQ(read(memory).in_flight, 0U);
}

} // namespace
} // namespace turnout::state
