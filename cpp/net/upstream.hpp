#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "base/failure_report.hpp"
#include "codec/http1.hpp"
#include "net/endpoint.hpp"
#include "net/loop.hpp"
#include "net/proxy.hpp"

namespace turnout::net {

/// How upstreams are reached.
struct upstream_options {
    base::duration connect = std::chrono::seconds(5); ///< `connectMs`
    std::vector<std::string> name_servers = {};       ///< as ADDRESS, IPV4:PORT or [IPV6]:PORT; none: the system's
    std::optional<proxy_options> proxy = {};
    std::string ca_file = {}; ///< PEM, replaces the system's authorities; empty: those
};

/// Told how one upstream call goes. After `on_complete` or `on_failure` nothing follows.
class call_observer {
public:
    virtual void on_head(const codec::http1::head& head) = 0;
    virtual void on_body(std::string_view bytes) = 0; ///< views into the loop's buffer
    /// The parts that came together have been told, and the answer is not over. What they lead to is best written now.
    virtual void on_parts_read() {}
    /// The answer ended as its framing says: last chunk, announced length, or an orderly close where that is the framing.
    virtual void on_complete() = 0;
    /// `origin` is one of connect_failed, tls_failed, connection_lost, malformed_http, body_truncated.
    virtual void on_failure(base::failure_origin origin, std::string_view detail) = 0;

protected:
    ~call_observer() = default;
};

/// One request under way. Dropping the last pointer cancels it.
class upstream_call : public boost::intrusive_ref_counter<upstream_call, boost::thread_unsafe_counter> {
public:
    virtual ~upstream_call() = default;
    /// Stops reading, so that the upstream feels the slow client.
    virtual void pause() = 0;
    virtual void resume() = 0;
    /// Whether the request has left whole: nothing views its head and body any more.
    virtual bool sent() const = 0;
    /// Closes the connection; the observer hears nothing more.
    virtual void cancel() = 0;
    /// The answer said all there is: the rest is read and dropped, so that the connection can be used again.
    virtual void drain() = 0;
};

using call_ptr = boost::intrusive_ptr<upstream_call>;

class upstream_websocket;

/// One loop's connections to upstreams, kept and reused last in first out.
class upstream_client {
public:
    /// Throws std::runtime_error if the file of authorities cannot be used.
    explicit upstream_client(loop& l, upstream_options options = {});
    ~upstream_client();

    /// Sends the pieces of a whole request. What they view, the pieces themselves and `to` must stay alive until the call
    /// is over or `sent`. The observer is never called from within `start`.
    call_ptr start(const endpoint& to, std::span<const std::string_view> request, call_observer& observer);

    /// A WebSocket to `to`, on a connection of its own, that has not been started. `head` and `most_bytes` as there.
    boost::intrusive_ptr<upstream_websocket> make_websocket(const endpoint& to, std::string head,
                                                            std::uint64_t most_bytes);

    void close_idle();

    struct impl;

private:
    std::unique_ptr<impl> impl_;
};

} // namespace turnout::net
