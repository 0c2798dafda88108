#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "config/reader.hpp"

namespace turnout::config {

/// Each of these answers the value, or reports what the field must be and answers nothing.

/// Not empty after its references are resolved, UTF-8, without control characters. A plain scalar that YAML reads as a
/// number, a boolean or null is no string.
std::optional<std::string> read_string(const field& f);

/// The path of a file, as seen from the folder of the document if it is relative. Content in PEM, which may be a key, is
/// refused without being shown.
std::optional<std::string> read_path(const field& f);

/// A string that can travel as an HTTP header value of one word: visible ASCII.
std::optional<std::string> read_secret(const field& f);

/// A plain decimal scalar: no quotes, exponent, fraction, plus sign, leading zero or other base.
std::optional<std::int64_t> read_integer(const field& f, std::int64_t least, std::int64_t most);

/// Milliseconds from `least` to one hour.
std::optional<base::milliseconds> read_duration(const field& f, std::int64_t least = 1);

/// Seconds from `least` to one day.
std::optional<base::duration> read_seconds(const field& f, std::int64_t least);

/// A plain decimal scalar from 0 to `most`, maybe with a fraction and an exponent.
std::optional<double> read_number(const field& f, std::int64_t most);

/// Null, or milliseconds from 1 to one hour.
std::optional<std::optional<base::milliseconds>> read_nullable_duration(const field& f);

/// Null, or as `read_integer`.
std::optional<std::optional<std::int64_t>> read_nullable_integer(const field& f, std::int64_t least, std::int64_t most);

/// Plain `true` or `false`.
std::optional<bool> read_boolean(const field& f);

/// One of the names in `known`, answered as its index. Names in `unsupported` are refused as such.
std::optional<std::size_t> read_choice(const field& f, const std::vector<std::string_view>& known,
                                       const std::vector<std::string_view>& unsupported = {});

/// One of the values in `known` by the name that `to_string` has for it.
template <class Value, std::size_t Count>
std::optional<Value> read_choice(const field& f, const std::array<Value, Count>& known) {
    std::vector<std::string_view> names;
    for (const Value value : known) {
        names.push_back(to_string(value));
    }
    const auto index = read_choice(f, names);
    return index ? std::optional{known[*index]} : std::nullopt;
}

/// Keeps what `target` holds, such as a default, if there is no value.
template <class Target, class Value>
void assign(Target& target, std::optional<Value> value) {
    if (value) {
        target = static_cast<Target>(std::move(*value));
    }
}

} // namespace turnout::config
