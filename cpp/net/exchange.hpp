#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "codec/http1.hpp"
#include "net/server_capacity.hpp"

namespace turnout::net {

/// Told about the client while its request is being answered.
class exchange_observer {
public:
    virtual void on_client_gone() = 0;    ///< closed or reset; nothing can be written any more
    virtual void on_client_stalled() = 0; ///< took nothing for `clientWriteStallMs`; the connection is closed
    virtual void on_drained() = 0;        ///< everything written so far has left
    /// The server ends now: the last chance to answer. Who does not hears `on_client_gone` next.
    virtual void on_server_ending() = 0;

protected:
    ~exchange_observer() = default;
};

/// Told about a connection that left HTTP by `exchange::upgrade`.
class upgraded_observer : public exchange_observer {
public:
    virtual void on_bytes(std::string_view bytes) = 0; ///< that the client sent
    virtual void on_draining() = 0;                    ///< the server is going to end: begin nothing, then `end`

protected:
    ~upgraded_observer() = default;
};

/// One request on a client connection, and the way to answer it. Lives on one loop. Exactly one of `respond`, or
/// `start_stream` or `upgrade` .. `end`/`abort`, answers it; after that, and after the client has gone, calls do nothing.
class exchange : public boost::intrusive_ref_counter<exchange, boost::thread_unsafe_counter> {
public:
    virtual ~exchange() = default;

    /// Valid until the exchange is answered.
    virtual const codec::http1::head& request() const = 0;
    virtual std::string& body() = 0;
    /// Gives up the body, which counts as request memory until then, or until the answer.
    virtual void free_body() = 0;

    virtual void observe(exchange_observer* observer) = 0;

    /// Answers at once. `fields` are whole header lines; Content-Length and Connection are added.
    virtual void respond(int status, std::string_view fields, std::string_view body) = 0;
    /// Begins an answer of unknown length; its head leaves with the first bytes written.
    virtual void start_stream(int status, std::string_view fields) = 0;
    /// Answers 101: from here the connection carries bytes of another protocol, which `write` sends as they are. What is
    /// not a connection's own request cannot be upgraded: nothing happens then.
    virtual void upgrade(std::string_view fields, upgraded_observer& observer) = 0;
    virtual void write(std::string_view payload) = 0;
    virtual void end() = 0;
    /// Breaks the connection off, so that the client cannot take the answer for a whole one.
    virtual void abort() = 0;

    /// Bytes accepted by `write` that the client has not taken yet.
    virtual std::size_t backlog() const = 0;
    /// What counts the bytes of requests.
    virtual server_capacity& capacity() = 0;
};

using exchange_ptr = boost::intrusive_ptr<exchange>;

struct refusal {
    int status = 400;
    std::string fields;
    std::string body;
};

/// What a server has too little of for one more request.
enum class shortage {
    connections, ///< `server.maxConnections`
    memory,      ///< `server.requestMemoryBytes`
};

/// What a server does with requests.
class request_handler {
public:
    /// Before the body is read: nothing to go on, or the answer.
    virtual std::optional<refusal> check_head(const codec::http1::head& head,
                                              std::optional<std::uint64_t> content_length) = 0;
    /// The body grew past the limit.
    virtual refusal body_too_large(const codec::http1::head& head) = 0;
    /// The answer to a request that there is no room for, or nothing to serve it all the same. Asked before
    /// `check_head` for connections, after it for memory.
    virtual std::optional<refusal> overloaded(shortage what, const codec::http1::head& head) = 0;
    /// The client began a request and did not go on; the connection is closed after the answer. `head` has what came of
    /// it, and is null if the request line is not whole.
    virtual refusal too_slow(const codec::http1::head* head) = 0;
    /// The bytes are not an acceptable HTTP request; the connection is closed after the answer. `head` as above.
    virtual refusal malformed(codec::http1::problem_kind kind, std::string_view text,
                              const codec::http1::head* head) = 0;
    /// A whole request.
    virtual void on_request(const exchange_ptr& x) = 0;

protected:
    ~request_handler() = default;
};

} // namespace turnout::net
