#include "config/env_reference.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ascii.hpp"

namespace turnout::config {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_variable_name(std::string_view name) {
    return !name.empty() && is_letter(name.front())
           && std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || base::is_digit(c); });
}

} // namespace

std::variant<std::string, reference_fault> resolve_references(std::string_view text, const environment& env) {
    std::string resolved;
    resolved.reserve(text.size());
    while (!text.empty()) {
        const std::size_t dollar = std::min(text.find('$'), text.size());
        resolved.append(text.substr(0, dollar));
        text.remove_prefix(dollar);
        if (text.starts_with("$${")) {
            resolved.append("${");
            text.remove_prefix(3);
        } else if (text.starts_with("${")) {
            const std::size_t close = text.find('}');
            const std::string_view name = text.substr(2, close == std::string_view::npos ? 0 : close - 2);
            if (!is_variable_name(name)) {
                return reference_fault{"holds a malformed reference; write ${NAME}, or $${ for a literal ${"};
            }
            const std::string variable{name};
            const std::optional<std::string> value = env(variable);
            if (!value) {
                return reference_fault{"refers to the environment variable " + variable + ", which is not set"};
            }
            resolved.append(*value);
            text.remove_prefix(close + 1);
        } else if (!text.empty()) {
            resolved.push_back('$');
            text.remove_prefix(1);
        }
    }
    return resolved;
}

} // namespace turnout::config
