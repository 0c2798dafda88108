#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "fake_upstreams/fast/request.hpp"
#include "fake_upstreams/fast/sockets.hpp"

namespace turnout::fast {

/// What every connection of an upstream answers with, made once.
struct answers {
    answers(std::string_view model, std::string_view asked, std::size_t completion_bytes);

    std::string asked;  // the model that requests must name; any, when empty
    std::string json;   // a whole answer
    std::string opened; // a stream's head, role and first token
    std::string tokens; // chunks with one token each, more than one write takes
    std::size_t token_bytes;
};

/// One connection of a client. A stream is an endless sequence of bytes, of which some are due by now.
class connection {
public:
    connection(descriptor socket, const answers& with, std::uint64_t serial)
        : socket_(std::move(socket)), answers_(with), serial_(serial) {}

    enum class outcome { goes_on, begins_to_pace, over };

    /// Reads what has come, and answers it when it is whole.
    [[nodiscard]] outcome on_readable();

    /// Writes what is due, as far as the socket takes it; false when the connection is over.
    [[nodiscard]] bool write();

    /// One token more is due.
    void owe_token() { due_ += answers_.token_bytes; }

    [[nodiscard]] bool wants_to_write() const { return !first_.empty() || written_ < due_; }
    [[nodiscard]] unsigned per_second() const { return per_second_; }
    [[nodiscard]] std::uint64_t serial() const { return serial_; }
    [[nodiscard]] int fd() const { return socket_.number(); }

    /// What the poller was told, so that it is told changes only.
    std::uint32_t events = 0;

private:
    [[nodiscard]] outcome take(std::string_view bytes);
    [[nodiscard]] outcome answer();
    [[nodiscard]] outcome refuse(std::string_view reason);

    descriptor socket_;
    const answers& answers_;
    std::uint64_t serial_;
    std::string unfinished_; // the begin of a request whose rest has not come
    answer_kind kind_ = answer_kind::json;
    std::size_t body_left_ = 0;
    std::string_view first_; // to be written before what is due of the stream
    std::uint64_t written_ = 0;
    std::uint64_t due_ = 0;
    unsigned per_second_ = 0;
};

} // namespace turnout::fast
