#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.hpp"

namespace turnout::codec::websocket {

/// Codes of close frames (RFC 6455, 7.4).
namespace close_code {
inline constexpr std::uint16_t normal = 1000;
inline constexpr std::uint16_t going_away = 1001;
inline constexpr std::uint16_t protocol_error = 1002;
inline constexpr std::uint16_t unsupported_data = 1003;
inline constexpr std::uint16_t none = 1005;     ///< never sent: a close frame came without a code
inline constexpr std::uint16_t abnormal = 1006; ///< never sent: no close frame came
inline constexpr std::uint16_t not_utf8 = 1007;
inline constexpr std::uint16_t too_large = 1009;
} // namespace close_code

/// A close frame that the peer sent.
struct farewell {
    std::uint16_t code = close_code::none;
    std::string reason;
};

/// A whole text message of the peer; without its text if `framing::drop_message` was called while it came.
struct message {
    std::string text;
    bool dropped = false;
};

/// One end of a WebSocket over wslay, without I/O: the peer's bytes in, messages out, and the bytes to send. Only text is
/// taken, and no extension. Pings are answered, a close frame is answered, and a peer that breaks the protocol is told
/// why by the code of one.
class framing {
public:
    enum class side {
        server,
        client, ///< masks what it sends
    };

    /// `masks` is needed by a client and must outlive this. `most_bytes` of one message are taken.
    framing(side s, std::uint64_t most_bytes, base::random_source* masks = nullptr);
    ~framing();
    framing(const framing&) = delete;
    framing& operator=(const framing&) = delete;

    /// Takes bytes of the peer. After a close frame in either direction they are passed over, but for the peer's own.
    void feed(std::string_view bytes);

    /// The next whole message that was fed.
    std::optional<message> take();
    /// Neither a frame nor a message has begun and not ended.
    bool between_messages() const;
    /// Bytes of the message that is coming in, as far as they are kept.
    std::size_t incoming() const;
    /// A message is larger than it may be: nothing more is read, and the caller closes.
    bool too_large() const;
    /// The message that is coming in is not wanted: what is there and what follows of it is let go.
    void drop_message();

    /// Appends one text message to `output()`; nothing once a close frame was sent.
    void write_text(std::string_view text) { write_part(text, text.size()); }
    /// Appends the next part of a text message that has `size` bytes in all. Until its last part every other frame waits.
    void write_part(std::string_view part, std::uint64_t size);
    void ping();
    /// Sends a close frame, once. `reason` is cut to the 123 bytes that fit.
    void close(std::uint16_t code, std::string_view reason = {});

    /// What to send; the caller takes it.
    std::string& output();

    /// About as many bytes of frames wait for the last part of a text message.
    std::size_t waiting() const;
    /// Whether a close frame is in `output()`, has been or waits: nothing else is written any more.
    bool closing() const;
    /// With which code; 0 before.
    std::uint16_t sent_code() const;
    /// The peer's close frame.
    const std::optional<farewell>& left() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace turnout::codec::websocket
