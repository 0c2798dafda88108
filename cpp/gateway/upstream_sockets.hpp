#pragma once

#include <utility>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "gateway/worker_context.hpp"
#include "net/upstream_websocket.hpp"

namespace turnout::gateway {

/// The WebSockets to upstreams of one client's WebSocket: one for each deployment, kept from turn to turn, since some
/// upstreams know earlier responses on the connection only that they came over. None is older than the client's.
class upstream_sockets : public boost::intrusive_ref_counter<upstream_sockets, boost::thread_unsafe_counter> {
public:
    explicit upstream_sockets(worker_context& worker) : worker_(worker) {}
    ~upstream_sockets() { close(); }
    upstream_sockets(const upstream_sockets&) = delete;
    upstream_sockets& operator=(const upstream_sockets&) = delete;

    worker_context& worker() { return worker_; }
    /// Whether a turn should go to the deployment over a WebSocket.
    bool serve(const deployment& d) const;
    /// There are none at this deployment.
    void note_refusal(const deployment& d);

    /// The one that is kept for the deployment, now with this user; null if there is none.
    net::upstream_websocket_ptr take(const deployment& d, net::upstream_websocket_user& user);
    void keep(const deployment& d, net::upstream_websocket_ptr socket);
    /// The client is gone: nothing is kept any more.
    void close();

private:
    worker_context& worker_;
    std::vector<std::pair<const deployment*, net::upstream_websocket_ptr>> kept_;
    bool closed_ = false;
};

using upstream_sockets_ptr = boost::intrusive_ptr<upstream_sockets>;

} // namespace turnout::gateway
