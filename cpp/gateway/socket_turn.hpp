#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "codec/contracts/responses/warm_up.hpp"
#include "net/server_websocket.hpp"

namespace turnout::gateway {

/// Told when a turn has been answered.
class turn_owner {
public:
    virtual void on_turn_over() = 0;

protected:
    ~turn_owner() = default;
};

/// One message over a WebSocket as a request like any other: an answer becomes text messages, one for each event or for
/// the error, and a comment becomes a ping.
class socket_turn final : public net::exchange {
public:
    /// The socket and the owner outlive the turn, or its `break_off`.
    socket_turn(net::server_websocket& socket, turn_owner& owner, net::counted_text message);

    /// What edits of the request view, besides its body.
    void keep(std::shared_ptr<const codec::responses::warm_up> w) { kept_ = std::move(w); }

    /// The client is gone; `stalled`: it took nothing for too long.
    void break_off(bool stalled);
    void drained();
    /// The last chance to answer.
    void server_ending();

    const codec::http1::head& request() const override { return head_; }
    std::string& body() override { return message_.text(); }
    void free_body() override { message_.release(); }
    void observe(net::exchange_observer* observer) override { observer_ = observer; }
    void respond(int status, std::string_view fields, std::string_view body) override;
    void start_stream(int /*status*/, std::string_view /*fields*/) override {}
    void upgrade(std::string_view /*fields*/, net::upgraded_observer& /*observer*/) override {}
    void write(std::string_view payload) override;
    void end() override;
    void abort() override { end(); }
    std::size_t backlog() const override { return owner_ == nullptr ? 0 : socket_.backlog(); }
    net::server_capacity& capacity() override { return capacity_; }

private:
    net::server_websocket& socket_;
    turn_owner* owner_; ///< null once answered or broken off: the socket is not touched any more
    net::counted_text message_;
    const codec::http1::head& head_;
    net::server_capacity& capacity_;
    net::exchange_observer* observer_ = nullptr;
    std::shared_ptr<const codec::responses::warm_up> kept_;
    std::string joined_;
};

} // namespace turnout::gateway
