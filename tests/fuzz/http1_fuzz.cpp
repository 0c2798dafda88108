// libFuzzer target: a connection means the same however its bytes are split, and no bytes break the parser.
//
//     clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Icpp tests/fuzz/http1_fuzz.cpp cpp/codec/http1*.cpp \
//         <llhttp's include path and library>
//
// The first byte chooses requests or answers and the size of the pieces; the rest is the connection.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "codec/http1.hpp"

namespace {

using namespace turnout::codec;

std::string run(http1::message_kind kind, std::string_view bytes, std::size_t piece_size) {
    http1::parser parser{kind, {.head_bytes = 256, .headers = 8}};
    std::string text;
    bool in_body = false;
    const auto write = [&](const http1::event& e) {
        const bool body = e.type == http1::event_type::body;
        if (!body || !in_body) {
            text += static_cast<char>('0' + static_cast<int>(e.type));
        }
        in_body = body;
        text += e.body;
        if (e.type == http1::event_type::head) {
            for (const http1::header& h : parser.current().headers()) {
                text.append(h.name).append("=").append(h.value).append(";");
            }
            text += parser.keep_alive() ? "k" : "";
        }
    };
    while (!bytes.empty()) {
        const std::string_view fed = bytes.substr(0, std::min(piece_size, bytes.size()));
        bytes.remove_prefix(fed.size());
        const std::vector<char> copy(fed.begin(), fed.end());
        std::string_view input{copy.data(), copy.size()};
        for (;;) {
            const http1::event e = parser.next(input);
            if (e.type == http1::event_type::need_more) {
                break;
            }
            write(e);
            if (e.type == http1::event_type::error) {
                return text;
            }
        }
    }
    if (const http1::event e = parser.finish(); e.type != http1::event_type::need_more) {
        write(e);
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const auto kind = (data[0] & 1U) != 0 ? http1::message_kind::request : http1::message_kind::response;
    const std::size_t piece = 1 + (data[0] >> 1U);
    const std::string bytes(data + 1, data + size);
    const std::string whole = run(kind, bytes, bytes.size());
    if (whole != run(kind, bytes, piece) || whole != run(kind, bytes, 1)) {
        std::abort();
    }
    return 0;
}
