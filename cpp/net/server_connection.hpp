#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include <boost/intrusive/list.hpp>

#include "codec/http1.hpp"
#include "codec/http_date.hpp"
#include "net/exchange.hpp"
#include "net/listener.hpp"
#include "net/output.hpp"
#include "net/stream.hpp"
#include "net/timers.hpp"

namespace turnout::net {

/// What the connections of one listener share.
struct server_context {
    loop& on;
    listener_options options;
    request_handler& handler;
    bool draining = false;
    std::size_t surplus = 0; ///< open connections beyond the limit
    codec::date_line date = {};
    std::function<void()> on_closed = {}; ///< after a connection has closed
};

using server_hook = boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// One client connection: reads requests one after the other and is the exchange of the one being answered. One read
/// is armed whenever the client may speak or leave.
class server_connection final : public exchange, public server_hook, public batched_writer {
public:
    /// A `surplus` one is beyond the limit of connections: it is told so and closed.
    server_connection(server_context& context, tcp_socket&& socket, bool surplus);
    ~server_connection() override;

    void start();
    /// No further request is read; closes at once when none is under way. A head that has begun has a second to end.
    void drain();
    /// Lets the observer answer a last time and closes, whether it did or not.
    void end_now();
    /// The client is gone, or treated so.
    void break_off();

    const codec::http1::head& request() const override { return parser_.current(); }
    std::string& body() override { return body_; }
    void free_body() override;
    void observe(exchange_observer* observer) override { observer_ = observer; }
    void respond(int status, std::string_view fields, std::string_view body) override;
    void start_stream(int status, std::string_view fields) override;
    void upgrade(std::string_view fields, upgraded_observer& observer) override;
    void write(std::string_view payload) override;
    void end() override;
    void abort() override;
    std::size_t backlog() const override { return output_.pending(); }
    server_capacity& capacity() override { return *context_.options.capacity; }

private:
    enum class phase {
        handshaking, ///< TLS is being agreed on
        head,        ///< between requests, or inside a head
        body,        ///< inside a request's body
        discard,     ///< inside the body of a refused request, which is answered
        handling,    ///< the handler has the request
        streaming,   ///< the handler has begun a streamed answer
        upgraded,    ///< bytes of another protocol in both directions
        lingering,   ///< answered and closing: reads and drops what the client still sends
        closed,
    };

    void begin_handshake();
    void shake_hands();
    void on_handshake_failed();
    void process();
    bool may_parse() const;
    bool takes_input() const { return may_parse() || phase_ == phase::upgraded; }
    bool is_full() const;
    void on_bytes(std::string_view& input);
    void on_head();
    void on_body(std::string_view bytes);
    void await_rest();
    void on_deadline();
    void count_input();
    /// Of the request whose body is being read, or what came of a head that is not whole; null if there is neither.
    const codec::http1::head* known_head();
    void refuse(const refusal& r, bool can_continue);
    void answered();
    void begin_linger();
    void await_request();
    void close();
    void send(std::initializer_list<std::string_view> pieces);
    void await_writable();
    void on_write_failed();
    void write_batched() override;
    void write_held();
    void write_head(int status, std::string_view fields, std::optional<std::size_t> length);
    bool keeps_alive() const;

    void arm_read();
    void on_readable();
    void on_end_of_input(io_status status);
    void arm_write();
    void on_writable();
    void after_write();

    server_context& context_;
    stream stream_;
    codec::http1::parser parser_;
    output output_;
    boost::intrusive_ptr<server_connection> until_written_; ///< itself, while it waits to write
    std::string input_;                                     ///< bytes that came before their turn
    std::string body_;
    std::string head_; ///< the answer's head, until it leaves
    exchange_observer* observer_ = nullptr;
    upgraded_observer* upgraded_ = nullptr; ///< the same one, while it is there
    phase phase_ = phase::head;
    const bool surplus_;
    bool head_begun_ = false; ///< its deadline runs, whatever else of it comes
    bool read_armed_ = false;
    bool write_armed_ = false;
    bool processing_ = false;
    bool close_after_ = false;
    bool discarding_ = false; ///< the refused request's body is dropped after its answer
    bool broken_ = false;     ///< a write failed; `client_gone` is on its way
    bool chunked_ = false;
    bool without_body_ = false; ///< the answer to HEAD
    std::size_t lingered_ = 0;
    std::size_t body_counted_ = 0;  ///< as request memory
    std::size_t input_counted_ = 0; ///< likewise
    timer deadline_;                ///< client_head, client_idle, client_watch or linger
    timer write_stall_;
};

} // namespace turnout::net
