#include "gateway/request_id.hpp"

#include <algorithm>

namespace turnout::gateway {
namespace {

constexpr std::size_t longest_id = 128;

bool usable(std::string_view id) {
    return !id.empty() && id.size() <= longest_id
           && std::all_of(id.begin(), id.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

} // namespace

std::string new_request_id(base::random_source& random) {
    constexpr std::string_view alphabet = "0123456789abcdef";
    std::string id = "req_";
    id.reserve(28);
    auto bits = random.next();
    for (int i = 0; i < 24; ++i) {
        if (i == 16) bits = random.next();
        id.push_back(alphabet[bits & 15U]);
        bits >>= 4U;
    }
    return id;
}

std::string request_id_of(const codec::http1::head& head, base::random_source& random) {
    if (const auto id = head.find("x-request-id"); id && usable(*id)) return std::string(*id);
    return new_request_id(random);
}

} // namespace turnout::gateway
