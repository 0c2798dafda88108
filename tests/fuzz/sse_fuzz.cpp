// libFuzzer target: a stream means the same however its bytes are split, and no bytes break the decoder.
//
//     clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Icpp tests/fuzz/sse_fuzz.cpp cpp/codec/sse.cpp
//
// The first byte is the size of the pieces; the rest is the stream.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/sse.hpp"

namespace {

using namespace turnout::codec;

std::string run(std::string_view bytes, std::size_t piece_size) {
    sse::decoder decoder{64};
    std::string text;
    const auto write = [&](const sse::event& e) {
        text.append("{").append(e.name).append("|").append(e.data).append(e.has_data ? "|d}" : "|}");
    };
    while (!bytes.empty()) {
        const std::string_view fed = bytes.substr(0, std::min(piece_size, bytes.size()));
        bytes.remove_prefix(fed.size());
        const std::vector<char> copy(fed.begin(), fed.end());
        decoder.feed({copy.data(), copy.size()});
        while (const auto e = decoder.next()) {
            write(*e);
        }
    }
    if (decoder.error() != sse::decoder_error::none) {
        return text + "!";
    }
    if (const auto e = decoder.finish()) {
        write(*e);
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string bytes(data + 1, data + size);
    const std::string whole = run(bytes, bytes.size());
    if (whole != run(bytes, std::size_t{1} + data[0]) || whole != run(bytes, 1)) {
        std::abort();
    }
    return 0;
}
