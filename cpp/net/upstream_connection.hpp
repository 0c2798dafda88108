#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "codec/http1.hpp"
#include "net/stream.hpp"
#include "net/timers.hpp"
#include "net/upstream.hpp"

namespace turnout::net {

class upstream_connection;
using upstream_connection_ptr = boost::intrusive_ptr<upstream_connection>;

/// What a connection tells the call that it serves.
class connection_user {
public:
    virtual void on_answer_head(const codec::http1::head& head) = 0;
    virtual void on_answer_body(std::string_view bytes) = 0;
    virtual void on_parts_read() = 0; ///< what one read brought has been told, and the answer is not over
    virtual void on_answer_complete() = 0;
    virtual void on_connection_failed(base::failure_origin origin, std::string_view detail) = 0;

protected:
    ~connection_user() = default;
};

/// Told when a connection may serve again, and when it is gone.
class connection_keeper {
public:
    virtual void on_idle(const upstream_connection_ptr& c) = 0;
    virtual void on_closed(upstream_connection& c) = 0;

protected:
    ~connection_keeper() = default;
};

/// One connection to an upstream: writes a request, reads its answer, waits for the next.
class upstream_connection final
    : public batched_writer,
      public boost::intrusive_ref_counter<upstream_connection, boost::thread_unsafe_counter> {
public:
    upstream_connection(loop& l, connection_keeper& keeper, endpoint where, stream&& connected);

    const endpoint& where() const { return where_; }
    /// Writes the request and reads the answer. What the pieces view must stay alive until they are written.
    void send(connection_user& user, std::span<const std::string_view> pieces);
    /// Asked of an idle connection just before it is used again: neither closed nor spoken on unasked. Its word costs a
    /// system call, and without it what came unasked would be taken for the answer to the next request.
    bool quiet();
    void pause();
    void resume();
    /// Forgets the user; reads and drops a bounded rest of the answer.
    void drain();
    void close();

    bool answer_begun() const { return answer_begun_; }
    /// When the request's last byte was written; nothing while it is still leaving.
    std::optional<base::instant> written_at() const { return written_at_; }

private:
    enum class phase { fresh, busy, draining, idle, closed };

    void write_batched() override;
    void write_more();
    void arm_read();
    void arm_write(tcp_socket::wait_type readiness);
    void on_readable();
    void on_bytes(std::string_view bytes);
    void on_end(io_status how);
    void answer_complete(bool reusable);
    void become_idle();
    void fail(base::failure_origin origin, std::string_view detail);

    loop& loop_;
    connection_keeper& keeper_;
    endpoint where_;
    stream stream_;
    codec::http1::parser parser_;
    std::vector<std::string_view> pieces_;
    std::size_t first_piece_ = 0;
    upstream_connection_ptr until_written_; ///< itself, while it waits to write
    std::optional<base::instant> written_at_;
    connection_user* user_ = nullptr;
    phase phase_ = phase::fresh;
    bool read_armed_ = false;
    bool write_armed_ = false;
    bool paused_ = false;
    bool answer_begun_ = false;
    bool head_seen_ = false;
    std::size_t drained_ = 0;
    timer deadline_; ///< pool_idle or drain
};

} // namespace turnout::net
