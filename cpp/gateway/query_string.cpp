#include "gateway/query_string.hpp"

#include <algorithm>
#include <charconv>

namespace turnout::gateway {
namespace {

std::optional<std::string> decode(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            const auto* digits = text.data() + i + 1;
            unsigned char byte = 0;
            if (i + 2 >= text.size() || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
                return std::nullopt;
            decoded.push_back(static_cast<char>(byte));
            i += 2;
        } else {
            decoded.push_back(text[i] == '+' ? ' ' : text[i]);
        }
    }
    return decoded;
}

} // namespace

std::optional<query_parameters> parse_query(std::string_view target) {
    query_parameters all;
    const auto mark = target.find('?');
    auto rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
    while (!rest.empty()) {
        const auto part = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        if (part.empty()) continue;
        const auto equals = part.find('=');
        auto name = decode(part.substr(0, equals));
        auto value = decode(equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1));
        if (!name || !value) return std::nullopt;
        all.emplace_back(std::move(*name), std::move(*value));
    }
    return all;
}

} // namespace turnout::gateway
