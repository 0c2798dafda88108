#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "fake_upstreams/fast/request.hpp"
#include "fake_upstreams/fast/script.hpp"
#include "fake_upstreams/fast/sockets.hpp"
#include "fake_upstreams/fast/tokens.hpp"

namespace turnout::fast {

/// One protocol's stream, as far as it can be made before it is asked for.
struct stream_answer {
    explicit stream_answer(stream_script script);

    std::string opened; // its head, its opening and its first token
    token_bytes tokens;
    std::function<std::string(std::uint64_t)> ending;
};

/// What every connection of an upstream answers with, made once.
struct answers {
    answers(std::string_view model, std::string_view asked, std::size_t completion_bytes);

    std::string asked; // the model that requests must name; any, when empty
    std::string json;  // a whole answer
    std::array<stream_answer, 3> streams;
};

/// One connection of a client. A stream is a sequence of tokens, of which some are due by now.
class connection {
public:
    connection(descriptor socket, answers& with, std::uint64_t serial)
        : socket_(std::move(socket)), answers_(with), serial_(serial) {}

    enum class outcome { goes_on, begins_to_pace, begins_to_step, steps, over };

    /// Reads what has come, and answers it when it is whole.
    [[nodiscard]] outcome on_readable();

    /// Writes what is due, as far as the socket takes it; false when the connection is over.
    [[nodiscard]] bool write();

    /// One token more is due, and behind its last one the stream's end. False when no other will be.
    bool owe_token();

    [[nodiscard]] bool wants_to_write() const { return !first_.empty() || at_.token < due_ || !ending_.empty(); }
    [[nodiscard]] std::uint64_t per_second() const { return number_; }
    [[nodiscard]] std::uint64_t serial() const { return serial_; }
    [[nodiscard]] int fd() const { return socket_.number(); }

    /// How many steps have come that were not taken, of a connection that `steps`.
    [[nodiscard]] std::size_t take_steps() { return std::exchange(steps_, 0); }

    /// What the poller was told, so that it is told changes only.
    std::uint32_t events = 0;

private:
    [[nodiscard]] outcome take(std::string_view bytes);
    [[nodiscard]] outcome answer();
    [[nodiscard]] outcome refuse(std::string_view reason);
    [[nodiscard]] stream_answer& stream() { return answers_.streams[static_cast<std::size_t>(spoken_)]; }
    [[nodiscard]] bool write_all(std::string_view& bytes);

    descriptor socket_;
    answers& answers_;
    std::uint64_t serial_;
    std::string unfinished_; // the begin of a request whose rest has not come
    answer_kind kind_ = answer_kind::json;
    protocol spoken_ = protocol::chat;
    std::uint64_t number_ = 0; // that of the stream's kind
    std::size_t body_left_ = 0;
    std::string_view first_; // to be written before what is due of the stream
    token_bytes::place at_;
    std::uint64_t due_ = 0; // all tokens before this one
    std::string ending_text_;
    std::string_view ending_; // to be written after it
    std::size_t steps_ = 0;
};

} // namespace turnout::fast
