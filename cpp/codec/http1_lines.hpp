#pragma once

#include <string>
#include <string_view>

#include "codec/http1.hpp"
#include "codec/http1_rules.hpp"

/// Checks of the raw bytes of a message, beside llhttp. For `parser` alone.
namespace turnout::codec::http1 {

/// Watches the lines of heads, chunk sizes and trailers, fed split anywhere. llhttp takes a bare CR or LF for a line end in
/// some places and joins folded lines, others do not: such a message may end elsewhere for the next reader.
class line_watch {
public:
    /// False if some line does not end with CRLF, or begins with a blank.
    bool accept(std::string_view bytes);
    void reset() { last_ = '\0'; }
    /// The last line that was begun is whole.
    bool at_line_end() const { return last_ == '\n'; }

private:
    char last_ = '\0'; ///< the last byte fed; NUL at the start
};

/// Judges a start line: llhttp knows other protocols than HTTP, takes a line without version for HTTP/0.9, any number of
/// spaces, and leading zeros of a status.
class start_line_watch {
public:
    /// Bytes of a head, from its first one on, split anywhere; what follows the first line is ignored.
    refusal accept(std::string_view bytes, message_kind kind);
    void reset();
    /// The first line came whole.
    bool done() const { return done_; }

private:
    std::string line_;
    bool done_ = false;
};

} // namespace turnout::codec::http1
