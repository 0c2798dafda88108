#include "gateway/upstream_sockets.hpp"

#include <algorithm>

namespace turnout::gateway {

bool upstream_sockets::serve(const deployment& d) const {
    return d.settings.web_socket && !worker_.refusals.holds(d.key, worker_.on.recent());
}

void upstream_sockets::note_refusal(const deployment& d) { worker_.refusals.note(d.key, worker_.on.recent()); }

net::upstream_websocket_ptr upstream_sockets::take(const deployment& d, net::upstream_websocket_user& user) {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& k) { return k.first == &d; });
    if (found == kept_.end()) return nullptr;
    auto socket = std::move(found->second);
    kept_.erase(found);
    return socket->resume_use(user) ? socket : nullptr;
}

void upstream_sockets::keep(const deployment& d, net::upstream_websocket_ptr socket) {
    if (closed_)
        socket->close();
    else
        kept_.emplace_back(&d, std::move(socket));
}

void upstream_sockets::close() {
    closed_ = true;
    for (const auto& [d, socket] : kept_) socket->close();
    kept_.clear();
}

} // namespace turnout::gateway
