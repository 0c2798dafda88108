// What one routing decision over 16 deployments costs: `make bench-decision`. Ends with 1 if any decision allocates.
//
// `rank` is the order of a pool alone. `decision` is all that is pure about the first attempt of a logical request: the
// machine is made, begins, gets a snapshot if the strategy wants one, ranks, and is told who was admitted.
//
// `fresh`: nothing has been measured and all counters are 0, so that everything is drawn or tied. `measured`: each
// deployment has its own values, one in four is refused.
#include <array>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <numeric>
#include <string>

#include <benchmark/benchmark.h>

#include "routing/route_fsm.hpp"
#include "routing/strategy.hpp"

namespace {

std::size_t allocations = 0;
bool a_decision_allocated = false;

} // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory; // NOLINT(*-no-malloc): this is what operator new is made of
    throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }              // NOLINT(*-no-malloc)
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); } // NOLINT(*-no-malloc)

namespace turnout::routing {
namespace {

constexpr std::size_t deployments = 16;

struct pool {
    std::array<candidate, deployments> all;
    std::array<deployment_snapshot, deployments> values;
    std::array<position, deployments> positions{};

    explicit pool(bool measured) {
        std::iota(positions.begin(), positions.end(), position{0});
        base::splitmix random{1};
        for (std::size_t i = 0; i < deployments; ++i) {
            all[i].weight = static_cast<std::uint32_t>(1 + random.below(100));
            all[i].price = random.unit();
            if (!measured) continue;
            values[i].in_flight = static_cast<std::uint32_t>(random.below(50));
            values[i].rpm = random.below(1000);
            values[i].tpm = random.below(1'000'000);
            values[i].latency_ms = 1000 * random.unit();
            values[i].throughput = 100 * random.unit();
            values[i].successes = random.below(1000);
            values[i].failed = random.below(1000);
            if (i % 4 == 3) values[i].entry.why = obstacle::limit;
        }
    }
};

void report(benchmark::State& state, std::size_t allocated) {
    state.counters["allocations"] =
        benchmark::Counter(static_cast<double>(allocated), benchmark::Counter::kAvgIterations);
    a_decision_allocated = a_decision_allocated || allocated != 0;
}

void ranks(benchmark::State& state, strategy s, bool measured) {
    const pool made{measured};
    const ranking view{.all = made.all,
                       .values = needs_snapshot(s) ? std::span<const deployment_snapshot>{made.values}
                                                   : std::span<const deployment_snapshot>{},
                       .comparable_prices = measured};
    base::splitmix random{2};
    std::pmr::vector<position> positions;
    positions.reserve(deployments);
    std::size_t allocated = 0;
    for (auto _ : state) {
        const std::size_t before = allocations;
        positions.assign(made.positions.begin(), made.positions.end());
        rank(s, view, positions, random);
        benchmark::DoNotOptimize(positions.data());
        allocated += allocations - before;
    }
    report(state, allocated);
}

void decides(benchmark::State& state, strategy s, bool measured) {
    const pool made{measured};
    route_map map;
    map.deployments.assign(made.all.begin(), made.all.end());
    map.pools.push_back({.begin = 0, .end = deployments, .comparable_prices = measured});
    const route_plan plan{.map = &map, .how = s};
    base::splitmix random{2};
    std::size_t allocated = 0;
    for (auto _ : state) {
        const std::size_t before = allocations;
        route_fsm fsm{plan};
        auto action = fsm.resume({}, begun{}, random);
        if (action.type == route_action_type::read_state) {
            action = fsm.resume({}, snapshot_read{.values = made.values}, random);
        }
        action = fsm.resume({}, admitted{.target = fsm.candidates().front()}, random);
        benchmark::DoNotOptimize(action);
        if (action.type != route_action_type::start_attempt) state.SkipWithError("no attempt was started");
        allocated += allocations - before;
    }
    report(state, allocated);
}

void add_all() {
    using enum strategy;
    for (const auto s : {simple_shuffle, least_busy, usage_based_rpm, usage_based_tpm, latency_based, throughput_based,
                         price_based, health_aware}) {
        for (const bool measured : {false, true}) {
            const auto name = std::string{to_string(s)} + (measured ? "/measured" : "/fresh");
            benchmark::RegisterBenchmark(("rank/" + name).c_str(), ranks, s, measured);
            benchmark::RegisterBenchmark(("decision/" + name).c_str(), decides, s, measured);
        }
    }
}

} // namespace
} // namespace turnout::routing

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    turnout::routing::add_all();
    benchmark::RunSpecifiedBenchmarks();
    return a_decision_allocated ? 1 : 0;
}
