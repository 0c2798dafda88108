#include "gateway/request_id.hpp"

#include <algorithm>
#include <array>

namespace turnout::gateway {
namespace {

constexpr std::size_t longest_id = 128;

bool usable(std::string_view id) {
    return !id.empty() && id.size() <= longest_id
           && std::all_of(id.begin(), id.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

/// The lower digit first, as they are drawn.
constexpr auto hex_pairs = [] {
    constexpr std::string_view alphabet = "0123456789abcdef";
    std::array<std::array<char, 2>, 256> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {alphabet[i % 16], alphabet[i / 16]};
    return pairs;
}();

} // namespace

void write_new_request_id(std::string& out, base::random_source& random) {
    std::array<char, 24> digits{};
    auto bits = random.next();
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        if (i == 16) bits = random.next();
        const auto& pair = hex_pairs[bits & 0xFFU];
        digits[i] = pair[0];
        digits[i + 1] = pair[1];
        bits >>= 8U;
    }
    out.append("req_").append(digits.data(), digits.size());
}

void write_request_id(std::string& out, const codec::http1::head& head, base::random_source& random) {
    if (const auto id = head.find("x-request-id"); id && usable(*id))
        out.append(*id);
    else
        write_new_request_id(out, random);
}

std::string new_request_id(base::random_source& random) {
    std::string id;
    write_new_request_id(id, random);
    return id;
}

std::string request_id_of(const codec::http1::head& head, base::random_source& random) {
    std::string id;
    write_request_id(id, head, random);
    return id;
}

} // namespace turnout::gateway
