#include "routing/message_wait.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "routing/retry_after.hpp"

namespace turnout::routing {

namespace {

constexpr auto openings = std::to_array<std::string_view>({
    "try again in ",
    "try again after ",
    "retry in ",
    "retry after ",
});

constexpr auto units = std::to_array<std::pair<std::string_view, double>>({
    {"ms", 1.0},
    {"millisecond", 1.0},
    {"milliseconds", 1.0},
    {"s", 1'000.0},
    {"sec", 1'000.0},
    {"secs", 1'000.0},
    {"second", 1'000.0},
    {"seconds", 1'000.0},
    {"m", 60'000.0},
    {"min", 60'000.0},
    {"minute", 60'000.0},
    {"minutes", 60'000.0},
    {"h", 3'600'000.0},
    {"hour", 3'600'000.0},
    {"hours", 3'600'000.0},
});

std::string_view without_spaces(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// `9m`, `7 seconds`: takes it from the front of `text`.
std::optional<double> take_term(std::string_view& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
    const auto rest = without_spaces(text.substr(static_cast<std::size_t>(end - text.data())));
    const auto word = rest.substr(
        0, static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), [](char c) { return c < 'a' || c > 'z'; })
                                    - rest.begin()));
    const auto unit = std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.first == word; });
    if (unit == units.end()) return std::nullopt;
    text = rest.substr(word.size());
    return value * unit->second;
}

std::optional<base::milliseconds> duration_at(std::string_view text) {
    auto term = take_term(text);
    if (!term) return std::nullopt;
    double ms = 0;
    for (; term; term = take_term(text = without_spaces(text))) ms += *term;
    constexpr auto longest = static_cast<double>(longest_asked_wait.count());
    return base::milliseconds{static_cast<std::int64_t>(std::ceil(std::min(ms, longest) * (1 - 1e-9)))};
}

} // namespace

std::optional<base::milliseconds> wait_in_message(std::string_view message) {
    for (const auto opening : openings) {
        for (auto at = message.find(opening); at != std::string_view::npos; at = message.find(opening, at + 1)) {
            if (const auto wait = duration_at(message.substr(at + opening.size()))) return wait;
        }
    }
    return std::nullopt;
}

} // namespace turnout::routing
