#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gateway/upstream_sockets.hpp"
#include "net/upstream.hpp"

namespace turnout::gateway {

/// Told how a turn goes over a WebSocket: as a call whose answer is an event stream, but for its head and its end.
class socket_call_observer : public net::call_observer {
public:
    /// The first message of the turn is here: what follows is the body of an answer 200.
    virtual void on_socket_answer() = 0;
    /// There are no WebSockets at this deployment, and nothing of the turn was sent; nothing follows.
    virtual void on_no_socket() = 0;
    /// The WebSocket closed with this code and reason, or was lost (1006); nothing follows.
    virtual void on_socket_closed(std::uint16_t code, std::string_view reason) = 0;

protected:
    ~socket_call_observer() = default;
};

/// One turn over a WebSocket to an upstream, which is kept afterwards unless something failed. A kept one that turns out
/// to be dead before anything of the turn has come is replaced, once.
class socket_call final : public net::upstream_call, private net::upstream_websocket_user {
public:
    /// `message`: the pieces of the text to send, which must stay alive, with what they view, until `sent`; `target` and
    /// `request_id` longer.
    socket_call(upstream_sockets_ptr home, const deployment& target, const std::string& request_id,
                std::span<const std::string_view> message, socket_call_observer& observer);
    ~socket_call() override;

    /// Tells nothing before it returns.
    void start();

    void pause() override;
    void resume() override;
    /// Until something of the turn came, the message may be needed again, and until it has left, it is read.
    bool sent() const override;
    void cancel() override;
    void drain() override;

private:
    void open();
    void send();
    /// Nothing is wrong with the deployment: another WebSocket takes this one's place. False if it cannot.
    bool replace();
    void on_too_old();
    socket_call_observer* end();

    void on_head(const codec::http1::head& head) override;
    void on_body(std::string_view bytes) override;
    void on_parts_read() override;
    void on_complete() override;
    void on_failure(base::failure_origin origin, std::string_view detail) override;
    void on_open() override;
    void on_message(std::string& text) override;
    void on_left(std::uint16_t code, std::string_view reason) override;

    upstream_sockets_ptr home_;
    const deployment& target_;
    const std::string& request_id_;
    std::span<const std::string_view> message_;
    socket_call_observer* observer_;
    net::upstream_websocket_ptr socket_;
    std::string event_;
    bool kept_ = false; ///< it served an earlier turn
    bool answered_ = false;
};

} // namespace turnout::gateway
