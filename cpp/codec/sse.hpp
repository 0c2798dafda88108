#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace turnout::codec::sse {

/// One dispatched event. Views live until the next call of `feed` or `next`.
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
/// An event that lies whole in the fed bytes is returned as views into them: nothing is copied.
class decoder {
public:
    explicit decoder(std::size_t max_event_bytes = std::size_t{1} << 24U);

    /// Gives the decoder bytes, which must stay alive until `next` has returned nothing; the unfinished tail is
    /// copied then. Call only when `next` has returned nothing.
    void feed(std::string_view bytes);

    /// The next complete event, or nothing until more bytes are fed. Blocks without any field that matters
    /// (comments only, blank lines) are not events.
    std::optional<event> next();

    /// At the end of the body: the last event that no blank line ended, if any. The caller judges whether it counts.
    std::optional<event> finish();

    decoder_error error() const { return error_; }

    /// True when no part of an event is pending: the only place where a keepalive may be written.
    bool at_boundary() const;

private:
    // (implementation members are up to the author)
    decoder_error error_ = decoder_error::none;
};

} // namespace turnout::codec::sse
