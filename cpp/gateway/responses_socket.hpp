#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "codec/contracts/responses/socket_request.hpp"
#include "codec/contracts/responses/warm_up.hpp"
#include "gateway/socket_turn.hpp"
#include "gateway/upstream_sockets.hpp"
#include "gateway/worker_context.hpp"
#include "net/server_websocket.hpp"
#include "net/timers.hpp"

namespace turnout::gateway {

/// A client's WebSocket at `/v1/responses`: each message is a turn, a logical request of its own, and one runs at a time.
class responses_socket final : public boost::intrusive_ref_counter<responses_socket, boost::thread_unsafe_counter>,
                               private net::websocket_observer,
                               private turn_owner {
public:
    /// Answers a handshake that was checked. Keeps itself alive until the socket is closed.
    static void open(worker_context& worker, const net::exchange_ptr& x);

private:
    using pointer = boost::intrusive_ptr<responses_socket>;

    responses_socket(worker_context& worker, const net::exchange_ptr& x);

    void on_message(net::counted_text message) override;
    void on_no_room() override;
    void on_too_large() override;
    void on_drained() override;
    void on_draining() override;
    void on_server_ending() override;
    void on_closed(bool stalled) override;
    void on_turn_over() override;
    void on_old();

    void begin(net::counted_text message);
    void begin_next();
    void answer(std::string id, codec::responses::socket_request request);
    void warm_up(const std::string& id, const codec::responses::socket_request& request);
    /// Why nothing more is begun, if so.
    std::optional<codec::public_error> over() const;
    void refuse_queued();
    void close_if_over();
    void tell(const codec::public_error& e);
    void forget_warm_up();
    void leave();

    worker_context& worker_;
    const std::string id_; ///< of the handshake; those of the turns begin with it
    net::server_websocket socket_;
    upstream_sockets_ptr upstreams_;
    boost::intrusive_ptr<socket_turn> turn_;
    bool busy_ = false; ///< a turn runs, or the next one is about to begin
    bool draining_ = false;
    bool old_ = false;
    std::uint64_t turns_ = 0;
    std::deque<net::counted_text> queue_;
    std::shared_ptr<const codec::responses::warm_up> warm_; ///< the last one; counts as request memory
    net::timer life_;
    pointer self_; ///< until closed
};

} // namespace turnout::gateway
