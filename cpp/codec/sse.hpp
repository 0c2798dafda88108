#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace turnout::codec::sse {

/// One dispatched event. Views live until the next call of `feed`, `next` or `finish`.
struct event {
    std::string_view name; ///< value of the last `event:` line; empty if none
    std::string_view data; ///< `data:` lines joined with LF
    bool has_data = false; ///< false for a block that had no `data` line at all
};

enum class decoder_error {
    none,
    event_too_large, ///< an event grew past `max_event_bytes`
};

/// Turns bytes into events, split anywhere. Accepts LF, CRLF, CR, a BOM, missing space after the colon, several
/// data lines, comments, unknown fields; `id` and `retry` are dropped (framing is ours).
/// An event that lies whole in the fed bytes and has one data line is returned as views into them: nothing is copied.
/// Any other event is put together in buffers that the decoder keeps from event to event.
class decoder {
public:
    /// `max_event_bytes` bounds name, data and the line being read, together; 16 MiB unless said otherwise.
    explicit decoder(std::size_t max_event_bytes = std::size_t{1} << 24U);

    /// Gives the decoder bytes, which must stay alive until `next` has returned nothing; the unfinished tail is
    /// copied then. Call only when `next` has returned nothing.
    void feed(std::string_view bytes);

    /// The next complete event, or nothing until more bytes are fed. Blocks without any field that matters
    /// (comments only, blank lines, an empty `event:`) are not events. After an error, nothing for ever.
    std::optional<event> next();

    /// At the end of the body, once `next` has returned nothing: the last event that no blank line ended, if any.
    /// The caller judges whether it counts.
    std::optional<event> finish();

    decoder_error error() const { return error_; }

    /// True when no part of an event is pending: the only place where a keepalive may be written.
    bool at_boundary() const;

private:
    struct pending;

    /// The line at the scan position without its end, or nothing if its end has not been fed yet.
    std::optional<std::string_view> take_line();
    std::string_view without_mark(std::string_view line);
    /// Adds one line, not blank, to the event being read.
    void add_line(std::string_view line, pending& reading);
    bool fits(const pending& reading, std::size_t line_bytes);
    pending held() const;
    /// Copies what the event being read still borrows from the fed bytes.
    void hold(const pending& reading);
    event dispatch(const pending& reading);

    std::size_t max_event_bytes_;
    decoder_error error_ = decoder_error::none;

    std::string_view input_;                  ///< the bytes fed last
    std::size_t position_ = 0;                ///< of the first byte of `input_` not yet consumed
    std::size_t lf_ = std::string_view::npos; ///< first LF at or after `position_`
    std::size_t cr_ = std::string_view::npos; ///< first CR at or after `position_`

    bool first_line_ = true; ///< only there a BOM is dropped
    bool skip_lf_ = false;   ///< the last byte fed was a CR, which an LF may still complete
    bool has_line_ = false;  ///< `line_` holds the start of a line
    bool has_name_ = false;  ///< between calls of `next`: `name_` belongs to the event being read
    bool has_data_ = false;  ///< same for `data_`
    std::string line_;
    std::string name_;
    std::string data_;
};

} // namespace turnout::codec::sse
