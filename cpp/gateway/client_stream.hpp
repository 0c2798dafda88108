#pragma once

#include <string>
#include <string_view>

#include "gateway/served_contract.hpp"
#include "net/exchange.hpp"
#include "net/loop.hpp"
#include "net/timers.hpp"

namespace turnout::gateway {

/// The streamed answer to one request: when its head leaves, and what tells a waiting client that somebody is there.
///
/// The head is held until `open`, so that a failure before it keeps its own status, but no longer than 10 s: then the
/// stream opens by itself. From there a comment follows every 10 s in which the client was sent nothing. Over a WebSocket
/// there is no head to hold: comments come from the start, and `open` means that events follow.
class client_stream {
public:
    /// `request_id` and the exchange outlive the stream or its `release`.
    client_stream(net::loop& on, const served_contract& contract, const std::string& request_id);

    /// From now the head is held.
    void hold(net::exchange& x);
    /// Sends the head, if it has not been sent. The next bytes written leave with it.
    void open();
    /// Whether the client has its status: what fails from here is told in-band.
    bool is_open() const { return open_; }
    /// Whole events; the stream is open.
    void write(std::string_view events);
    void end();
    /// The exchange is answered or gone.
    void release();

private:
    void arm();
    void on_silence();

    net::loop& on_;
    const served_contract& contract_;
    const std::string& request_id_;
    net::exchange* exchange_ = nullptr;
    bool open_ = false;
    net::timer silence_;
};

} // namespace turnout::gateway
