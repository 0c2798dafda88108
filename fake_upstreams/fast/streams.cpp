// The client of streams for benchmarks; stream_client.hpp says how it is told what to do.

#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "fake_upstreams/fast/options.hpp"
#include "fake_upstreams/fast/stream_client.hpp"

int main(int argc, char** argv) {
    CLI::App app("Opens streams on 127.0.0.1 and checks every byte of them; obeys its standard input.", "fast_streams");
    const turnout::fast::stream_options asked(app);
    std::string kind;
    app.add_option("--kind", kind, "'paced N', 'flooded' or 'idle'")->required();
    CLI11_PARSE(app, argc, argv);
    try {
        turnout::fast::raise_descriptor_limit();
        turnout::fast::stream_client(asked.port, asked.spoken(), asked.model, asked.named, kind).run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fast_streams: %s\n", error.what());
        return 1;
    }
}
