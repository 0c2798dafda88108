#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/json_string.hpp"

namespace turnout::codec::json {

/// Arrays and objects within each other that a client may send.
inline constexpr unsigned max_request_depth = 128;
/// Those that a scanner passes unless it is told otherwise; one more is a fault. Upstreams wrap what a client sent.
inline constexpr unsigned max_depth = max_request_depth + 16;

enum class kind : std::uint8_t {
    object,
    array,
    string,
    number,
    boolean,
    null,
    none, ///< no value begins here
};

enum class fault : std::uint8_t {
    none,
    syntax, ///< not JSON: grammar, or something after the value
    depth,  ///< nested too deep
    utf8,   ///< JSON, but its bytes are not UTF-8
};

/// The kind of the value that begins with this byte.
kind kind_of(char first);

/// Walks one JSON text in place, in one pass, and validates all of it: what the caller does not read it skips, and
/// skipping checks as much as reading. Nothing is allocated or copied.
///
///     scanner s(text);
///     string_token key;
///     if (s.peek() == kind::object && s.begin_object())
///         while (s.next_member(key))
///             key.equals("model") && s.peek() == kind::string ? s.read_string(value) : s.skip();
///     if (!s.finish()) ... s.problem() ...
///
/// After `next_member` or `next_element` exactly one value must be read or skipped. After a fault every call returns
/// false (or `kind::none`) and the first fault stays.
class scanner {
public:
    explicit scanner(std::string_view text, unsigned deepest = max_depth)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), deepest_(deepest) {}

    /// The kind of the value that begins here (told by its first byte); blank space before it is passed.
    kind peek();

    bool begin_object();
    /// Reads the next name and the colon; false after the closing brace.
    bool next_member(string_token& name);
    bool begin_array();
    /// True when another element follows; false after the closing bracket.
    bool next_element();

    bool read_string(string_token& value);
    bool skip();
    /// Skips a value and says where it lay.
    bool skip(std::string_view& value);
    /// Passes `value` if it stands here: an object of a text that was valid, where it lay as deep as it would here.
    /// Otherwise nothing is passed but the blank space before it, and there still is a value to read.
    bool pass(std::string_view value);

    /// Nothing but blank space follows, and the whole text is UTF-8.
    bool finish();

    fault problem() const { return fault_; }
    /// Bytes passed; of the fault, once there is one.
    std::size_t offset() const;
    std::size_t offset_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - begin_); }

private:
    bool fail(fault f);
    void blank();
    bool scan_string(string_token& value);
    bool scan_escaped_string(string_token& value, const char* start, const char* at);
    bool scan_escape();
    bool scan_number();
    bool scan_literal(std::string_view literal);
    bool scan_scalar();
    bool scan_name(string_token& name);
    bool skip_nested();
    bool begin(char bracket);
    bool next(char closing);

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* fault_at_ = nullptr;
    unsigned deepest_; ///< at most `max_depth`
    unsigned depth_ = 0;
    unsigned non_ascii_ = 0; ///< not 0 once a byte above 0x7F was passed
    bool fresh_ = false;     ///< an object or array has just begun: no comma yet
    fault fault_ = fault::none;
};

/// The integer that a number's text is, written without fraction and exponent; nothing if it is none or too large.
std::optional<std::int64_t> to_integer(std::string_view number);

/// True when the text is one valid JSON value, blank space around it allowed.
bool is_json(std::string_view text);

/// What the string that `text` begins with holds between its quotes, as it is written there; empty if it is empty, or if no
/// valid string begins there.
std::string_view string_at(std::string_view text);

/// `text` without JSON's blank space at both ends.
std::string_view trim(std::string_view text);

} // namespace turnout::codec::json
