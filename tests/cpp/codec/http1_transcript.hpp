#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/http1.hpp"

namespace turnout::codec::http1 {

/// Connections as text: `POST /x 1.1 {Host=h}` or `200 1.1 {A=b}` for a head, then its facts (`keep`, `chunked`, `length=N`,
/// `continue`), `<payload>` with adjacent pieces joined, `.` for complete, `!kind` for an error.
class transcript {
public:
    explicit transcript(message_kind kind, limits l = {}, bool bodiless_answer = false);

    /// Feeds a copy of the bytes that dies at once, until all is consumed or an error came.
    void feed(std::string_view bytes);
    /// The peer closes.
    void close();

    const std::string& text() const { return text_; }

private:
    void write(const event& e);

    parser parser_;
    message_kind kind_;
    std::string text_;
    bool failed_ = false;
};

std::string_view name_of(problem_kind kind);

struct sample {
    const char* title;
    std::string bytes;
    std::string expected; ///< a transcript; one that ends with `!*` leaves open which 400 it is
    limits bounds = {};
    bool bodiless_answer = false;
};

/// Expects the same transcript whole, split at every byte, and byte by byte, with the connection closed at the end.
void expect_transcript(message_kind kind, const sample& s);

} // namespace turnout::codec::http1
