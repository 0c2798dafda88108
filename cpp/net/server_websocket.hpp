#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/websocket/framing.hpp"
#include "net/counted_text.hpp"
#include "net/exchange.hpp"

namespace turnout::net {

/// Told what happens on a client's WebSocket, which it keeps until the call has returned.
class websocket_observer {
public:
    virtual void on_message(counted_text message) = 0;
    /// A message came that request memory has no room for; it is gone.
    virtual void on_no_room() = 0;
    /// A message is larger than it may be: the last chance to write before the socket closes.
    virtual void on_too_large() = 0;
    virtual void on_drained() = 0;  ///< everything written so far has left
    virtual void on_draining() = 0; ///< the server is going to end
    /// The server ends now: the last chance to write.
    virtual void on_server_ending() = 0;
    /// The socket closed, was closed or broke; nothing follows. `stalled`: the client took nothing for too long.
    virtual void on_closed(bool stalled) = 0;

protected:
    ~websocket_observer() = default;
};

/// One client's WebSocket, from the handshake on.
class server_websocket final : private upgraded_observer {
public:
    /// `most_bytes` of one message. Answers the handshake; `fields` are further header lines.
    server_websocket(exchange_ptr x, std::string_view key, std::string_view fields, std::uint64_t most_bytes,
                     websocket_observer& observer);
    ~server_websocket();
    server_websocket(const server_websocket&) = delete;
    server_websocket& operator=(const server_websocket&) = delete;

    /// The request that began it.
    const codec::http1::head& request() const { return exchange_->request(); }
    server_capacity& capacity() { return exchange_->capacity(); }

    /// Writes a text message, which leaves with the next `flush`.
    void write(std::string_view text) { frames_.write_text(text); }
    void flush();
    void ping();
    /// Says why and closes; `on_closed` is not called.
    void close(std::uint16_t code, std::string_view reason);
    /// Bytes written that the client has not taken yet.
    std::size_t backlog() const { return exchange_->backlog(); }

private:
    void on_bytes(std::string_view bytes) override;
    void on_draining() override;
    void on_client_gone() override;
    void on_client_stalled() override;
    void on_drained() override;
    void on_server_ending() override;

    void take_messages();
    bool count(std::size_t bytes);
    void end(bool stalled);
    websocket_observer* detach();

    exchange_ptr exchange_;
    codec::websocket::framing frames_;
    websocket_observer* observer_; ///< null once closed
    std::size_t counted_ = 0;      ///< of the message that is coming in
};

} // namespace turnout::net
