#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace turnout::codec::http1 {

struct limits {
    std::size_t head_bytes = std::size_t{64} * 1024; ///< request or status line plus headers
    std::size_t headers = 100;
};

struct header {
    std::string_view name;
    std::string_view value;
};

/// A parsed message head. Owns its bytes; views stay valid until the parser starts the next message.
class head {
public:
    std::string_view method() const { return method_; }  ///< requests only
    std::string_view target() const { return target_; }  ///< requests only; printable ASCII, never empty
    int minor_version() const { return minor_version_; } ///< 0 or 1
    int status() const { return status_; }               ///< responses only
    /// In order of arrival, without the blanks around the values.
    const std::vector<header>& headers() const { return headers_; }
    /// First header of that name, ASCII case-insensitive.
    std::optional<std::string_view> find(std::string_view name) const;
    /// The header of that name; nothing if there are several, of which nobody knows which one counts.
    std::optional<std::string_view> find_only(std::string_view name) const;

private:
    friend class parser;

    struct field {
        std::size_t name_begin = 0;
        std::size_t name_size = 0;
        std::size_t value_begin = 0;
        std::size_t value_size = 0;
    };

    void clear();
    /// Makes the views, once `bytes_` grows no more.
    void seal();

    std::string bytes_; ///< as received; places are counted from its begin
    std::size_t target_begin_ = 0;
    std::size_t target_size_ = 0;
    std::vector<field> fields_;
    std::vector<header> headers_;
    std::string_view method_;
    std::string_view target_;
    int minor_version_ = 1;
    int status_ = 0;
};

enum class event_type {
    need_more, ///< input used up; feed more
    head,      ///< `current()` is complete; 1xx answers are skipped and never shown
    body,      ///< `event::body` has payload bytes, views into the input
    complete,  ///< the message is over; bytes that follow belong to the next one
    error,     ///< `problem()` says what
};

struct event {
    event_type type = event_type::need_more;
    std::string_view body{};
};

enum class problem_kind {
    none,
    malformed,        ///< 400
    head_too_large,   ///< 431; also for trailers and for the extensions of one chunk
    too_many_headers, ///< 431; also for trailers
    version,          ///< not HTTP/1.0 or 1.1; 400 (505 would invite HTTP/2 guesses)
    host,             ///< missing, repeated, or not a host and a port; 400
    framing,          ///< Content-Length with Transfer-Encoding, a coding other than chunked, duplicates; 400
    upgrade,          ///< CONNECT or h2 preface; 400
    truncated,        ///< EOF inside a message
};

enum class message_kind { request, response };

/// Pull parser over llhttp (strict). No I/O: bytes in, events out. Stricter than llhttp where lenience lets two parsers
/// disagree about where a message ends: lines end with CRLF only, no folding, one framing header at most.
/// `Upgrade` is ignored, as a server may; CONNECT is refused. Trailers and chunk extensions are dropped.
/// An answer 101 is malformed unless it was asked for.
class parser {
public:
    explicit parser(message_kind kind, limits l = {});
    ~parser();
    parser(const parser&) = delete;
    parser& operator=(const parser&) = delete;
    parser(parser&&) noexcept;
    parser& operator=(parser&&) noexcept;

    /// Consumes a prefix of `input` (which is shortened) and returns the next event. Call it until it answers `need_more`
    /// or `complete`, even when `input` is empty by then; after `complete` the next call begins the next message.
    /// After `error` it answers `error` for ever.
    event next(std::string_view& input);

    /// The peer closed. `complete` if that ends the message legally (close-delimited answer), `need_more` if nothing
    /// had begun, else `error` (truncated).
    event finish();

    const head& current() const;
    /// What came of a head that will not be finished, since it is refused or its sender stopped: the target and the
    /// headers that are whole. Null before the first line is, which then has been judged. Nothing is parsed after this.
    const head* unfinished();
    problem_kind problem() const;
    std::string_view problem_text() const; ///< one sentence, no bytes of the message in it

    /// For answers to HEAD: no body follows, whatever the head says. Call before the answer's head.
    void expect_no_body();
    /// An answer 101 is shown like any other: with its head HTTP is over, and what is left of the input is of the other
    /// protocol. Call before the answer's head.
    void expect_upgrade();
    /// True when the connection may carry another message after this one. Known from `head` on.
    bool keep_alive() const;
    /// True for requests with a body that wait for `100 Continue`.
    bool expects_continue() const;
    /// As the head says, also for an answer to HEAD, where no such body follows.
    std::optional<std::uint64_t> content_length() const;
    bool chunked() const;
    /// True when not a byte of the current message has been seen (blank lines before a request do not count).
    bool idle() const;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

/// Appends `HTTP/1.1 200 OK\r\n`. Unknown statuses get the reason of their class.
void write_status_line(std::string& out, int status);
/// Appends `POST /path HTTP/1.1\r\n`.
void write_request_line(std::string& out, std::string_view method, std::string_view target);
/// Appends one field line. Precondition: name and value hold no CR, LF or NUL (asserted; values from outside are
/// checked with `valid_field_value` first).
void write_header(std::string& out, std::string_view name, std::string_view value);
void write_header(std::string& out, std::string_view name, std::uint64_t value);
/// Appends the size line of a chunk; the caller appends the data and CRLF.
void write_chunk_size(std::string& out, std::size_t size);
inline constexpr std::string_view last_chunk = "0\r\n\r\n";
/// True for text that may be sent as a header's value: no control character but the tab.
bool valid_field_value(std::string_view value);

} // namespace turnout::codec::http1
