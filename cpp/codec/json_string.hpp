#pragma once

#include <string>
#include <string_view>

namespace turnout::codec::json {

/// A string of a JSON text, still as it was written there.
struct string_token {
    std::string_view raw; ///< between the quotes; validated
    bool escaped = false; ///< holds at least one backslash

    bool empty() const { return raw.empty(); }

    /// Compares the decoded string, so that `"\u006dodel"` is `model`.
    bool equals(std::string_view text) const { return escaped ? escaped_equals(text) : raw == text; }

    /// The decoded string as UTF-8. A lone surrogate becomes U+FFFD.
    std::string decode() const;

private:
    bool escaped_equals(std::string_view text) const;
};

/// Appends `text` as a JSON string, quotes included. Whatever is not UTF-8 becomes U+FFFD, so the output always is.
void write_json_string(std::string& out, std::string_view text);

/// `write_json_string` into a string of its own.
std::string to_json_string(std::string_view text);

} // namespace turnout::codec::json
