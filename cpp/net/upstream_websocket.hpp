#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "codec/http1.hpp"
#include "codec/websocket/framing.hpp"
#include "net/connector.hpp"
#include "net/entropy.hpp"
#include "net/output.hpp"
#include "net/stream.hpp"
#include "net/upstream.hpp"

namespace turnout::net {

/// Told what happens on a WebSocket to an upstream. A handshake that is refused is told as the answer that it got, up to
/// `on_complete`; `on_failure` also ends a socket whose frames break the protocol (malformed_http) or are too much
/// (malformed_body).
class upstream_websocket_user : public call_observer {
public:
    virtual void on_open() = 0;
    /// One text message; the text is the user's to change until it returns.
    virtual void on_message(std::string& text) = 0;
    /// The upstream closed it, or the connection was lost (1006); nothing follows.
    virtual void on_left(std::uint16_t code, std::string_view reason) = 0;

protected:
    ~upstream_websocket_user() = default;
};

/// Whether a message that came when nobody used the WebSocket may be dropped.
using message_judge = bool (*)(std::string_view text);

/// One WebSocket to an upstream, on a connection of its own. Without a user it answers pings, drops messages that say
/// nothing to the next user, and closes on any other.
class upstream_websocket final : public boost::intrusive_ref_counter<upstream_websocket, boost::thread_unsafe_counter>,
                                 private connector_user {
public:
    /// `head`: request line and header lines of the handshake, to which its own are added. `most_bytes` of one message
    /// are taken.
    upstream_websocket(connecting& shared, const endpoint& to, std::string head, std::uint64_t most_bytes);
    ~upstream_websocket();

    /// Connects and shakes hands; tells nothing before the next turn of the loop.
    void start(upstream_websocket_user& user);
    /// Takes an open socket into use, after a look whether it still is one and nothing of a message is on its way; false
    /// if not. Tells nothing.
    bool resume_use(upstream_websocket_user& user);
    /// The user hears nothing more; messages that `may_be_dropped` finds no fault with are.
    void leave(message_judge may_be_dropped);

    /// Sends one text message. The pieces, of which there is one at least, and what they view must stay alive until
    /// `written_at` says that all has left or the socket is closed: what is masked is masked as the upstream takes it.
    void send(std::span<const std::string_view> pieces);
    /// When the last of what was sent had left; nothing while it is still leaving.
    std::optional<base::instant> written_at() const { return written_at_; }
    /// Stops reading, so that the upstream feels the slow client.
    void pause() { paused_ = true; }
    void resume();
    /// Says goodbye where that is possible, and closes. Tells nothing.
    void close();
    bool is_open() const { return phase_ == phase::open; }
    /// Bytes in memory that the upstream has not taken, without those that are not masked yet.
    std::size_t backlog() const { return output_.pending(); }

private:
    enum class phase { fresh, connecting, handshaking, refused, open, closed };

    void on_reached(stream&& s) override;
    void on_unreached(base::failure_origin origin, std::string_view detail) override;
    void wrote(bool alive);
    void send_parts();
    void mask_part();
    void arm_write(io_status readiness);
    void arm_read();
    void on_readable();
    void read();
    std::size_t read_once(std::span<char> buffer);
    void on_bytes(std::string_view bytes);
    void on_answer(std::string_view bytes);
    void on_frames(std::string_view bytes);
    void tell_messages();
    void flush_frames();
    void on_end(io_status how);
    void complete();
    void lose(std::uint16_t code, std::string_view reason);
    void fail(base::failure_origin origin, std::string_view detail);
    upstream_websocket_user* end();

    connecting& shared_;
    endpoint to_;
    entropy chance_;
    std::string accept_; ///< what answers our key
    output output_;      ///< first the handshake
    codec::http1::parser answer_;
    codec::websocket::framing frames_;
    connector_ptr connector_;
    stream stream_;
    upstream_websocket_user* user_ = nullptr;
    message_judge may_be_dropped_ = nullptr; ///< what the last user said when it left
    phase phase_ = phase::fresh;
    std::optional<base::instant> written_at_;
    std::span<const std::string_view> unsent_; ///< of the message that is leaving
    std::size_t begun_ = 0;                    ///< bytes of the first of these that are masked
    std::uint64_t message_size_ = 0;
    std::size_t unasked_ = 0; ///< bytes of pongs since the upstream last took everything
    bool paused_ = false;
    bool read_armed_ = false;
    bool write_armed_ = false;
};

using upstream_websocket_ptr = boost::intrusive_ptr<upstream_websocket>;

} // namespace turnout::net
