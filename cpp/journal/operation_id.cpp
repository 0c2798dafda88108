#include "journal/operation_id.hpp"

#include <algorithm>
#include <charconv>

namespace turnout::journal {
namespace {

constexpr std::string_view prefix = "op_";
constexpr std::size_t digits = 16;
constexpr std::int64_t last_millisecond = std::int64_t{1} << 42; // the year 2109

} // namespace

std::string operation_id(std::int64_t number) {
    constexpr std::string_view alphabet = "0123456789abcdef";
    std::string id(prefix);
    const auto bits = static_cast<std::uint64_t>(number);
    for (unsigned shift = 64; shift > 0; shift -= 4) id.push_back(alphabet[(bits >> (shift - 4)) & 15U]);
    return id;
}

std::optional<std::int64_t> operation_number(std::string_view id) {
    if (id.size() != prefix.size() + digits || !id.starts_with(prefix)) return std::nullopt;
    id.remove_prefix(prefix.size());
    if (std::any_of(id.begin(), id.end(), [](char c) { return c >= 'A' && c <= 'F'; })) return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number, 16);
    if (error != std::errc() || end != id.data() + id.size() || number <= 0) return std::nullopt;
    return number;
}

std::int64_t first_number(base::wall_ms begun) {
    return std::clamp<std::int64_t>(begun.value, 0, last_millisecond) * (std::int64_t{1} << 20) + 1;
}

} // namespace turnout::journal
