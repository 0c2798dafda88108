// Times the tokens of streams for benchmarks, one stream at a time; stopwatch.hpp says how.

#include <algorithm>
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "fake_upstreams/fast/options.hpp"
#include "fake_upstreams/fast/stopwatch.hpp"

namespace turnout::fast {
namespace {

/// In microseconds. Of nothing there is none.
double percentile(std::vector<std::int64_t>& of, double share) {
    if (of.empty()) return 0;
    const auto at = of.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(of.size() - 1));
    std::nth_element(of.begin(), at, of.end());
    return static_cast<double>(*at) / 1000;
}

void report(stopwatch& watch) {
    std::printf(R"({"streams": %zu, "first": {"p50": %.3f, "p99": %.3f}, "gap": {"p50": %.3f, "p99": %.3f}})",
                watch.first_tokens().size(), percentile(watch.first_tokens(), 0.5),
                percentile(watch.first_tokens(), 0.99), percentile(watch.gaps(), 0.5), percentile(watch.gaps(), 0.99));
    std::puts("");
}

} // namespace
} // namespace turnout::fast

int main(int argc, char** argv) {
    CLI::App app("Times the tokens of streams on 127.0.0.1, and checks every byte of them.", "fast_latency");
    turnout::fast::stream_options asked(app);
    std::uint16_t steps = 0;
    std::uint64_t tokens = 0;
    unsigned seconds = 0;
    app.add_option("--steps", steps, "the upstream's port, which is told when the next token is due")->required();
    app.add_option("--tokens", tokens, "of each stream")->required()->check(CLI::PositiveNumber);
    app.add_option("--seconds", seconds, "no stream begins later")->required();
    CLI11_PARSE(app, argc, argv);
    try {
        using clock = std::chrono::steady_clock;
        turnout::fast::stopwatch watch({asked.port, steps}, asked.spoken(), asked.model, asked.named, tokens);
        const auto end = clock::now() + std::chrono::seconds(seconds);
        do watch.time_one_stream();
        while (clock::now() < end);
        turnout::fast::report(watch);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fast_latency: %s\n", error.what());
        return 1;
    }
}
