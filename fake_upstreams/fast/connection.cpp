#include "fake_upstreams/fast/connection.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <sys/socket.h>

#include "fake_upstreams/fast/chat.hpp"

namespace turnout::fast {
namespace {

constexpr std::size_t read_bytes = 64 * 1024;
constexpr std::size_t write_bytes = 256 * 1024; // per turn, so that no stream starves the others
constexpr std::string_view refused = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
constexpr std::string_view response_id = "resp_bench0000000000000000";

bool is_over(ssize_t result) { return result == 0 || (result < 0 && errno != EAGAIN && errno != EINTR); }

stream_answer stream_of(protocol spoken, std::string_view model) {
    return stream_answer(script_of(spoken, model, response_id));
}

} // namespace

stream_answer::stream_answer(stream_script script)
    : opened("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"),
      tokens(script.token, token_bytes::framing::chunked, write_bytes),
      ending(std::move(script.ending)) {
    for (const std::string& event : script.opening) opened += chunk(event);
    opened += tokens.from({}, 1, write_bytes);
}

answers::answers(std::string_view model, std::string_view asked_model, std::size_t completion_bytes)
    : asked(asked_model),
      streams{stream_of(protocol::chat, model), stream_of(protocol::messages, model),
              stream_of(protocol::responses, model)} {
    const std::string body = completion(model, completion_bytes);
    json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + std::to_string(body.size())
           + "\r\n\r\n" + body;
}

connection::outcome connection::on_readable() {
    // The body's rest decides nothing: the kernel drops it without copying it.
    while (body_left_ > 0) {
        const ssize_t count = recv(fd(), nullptr, body_left_, MSG_TRUNC);
        if (count <= 0) return is_over(count) ? outcome::over : outcome::goes_on;
        body_left_ -= static_cast<std::size_t>(count);
        if (body_left_ == 0) return answer();
    }
    static std::array<char, read_bytes> buffer;
    const ssize_t count = recv(fd(), buffer.data(), buffer.size(), 0);
    if (count <= 0) return is_over(count) ? outcome::over : outcome::goes_on;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    if (kind_ == answer_kind::steps) {
        steps_ += bytes.size();
        return outcome::steps;
    }
    if (unfinished_.empty()) return take(bytes);
    const std::string whole = std::exchange(unfinished_, {}).append(bytes);
    return take(whole);
}

connection::outcome connection::take(std::string_view bytes) {
    const auto read = read_request(bytes);
    if (std::holds_alternative<incomplete>(read)) {
        unfinished_.assign(bytes);
        return outcome::goes_on;
    }
    if (const auto* no = std::get_if<refusal>(&read)) return refuse(no->reason);
    const auto& asked = std::get<request>(read);
    if (asked.taken != bytes.size()) return refuse("a request came before the one before it was answered");
    kind_ = asked.kind;
    if (kind_ == answer_kind::steps) return outcome::goes_on;
    if (!answers_.asked.empty() && asked.model != answers_.asked) return refuse("the request names another model");
    spoken_ = asked.spoken;
    number_ = asked.number;
    body_left_ = asked.body_left;
    return body_left_ == 0 ? answer() : outcome::goes_on;
}

connection::outcome connection::answer() {
    first_ = kind_ == answer_kind::json ? std::string_view(answers_.json) : stream().opened;
    at_ = {.token = 1};
    due_ = 0;
    const bool more = owe_token(); // the one in the opening
    if (kind_ == answer_kind::flooded) due_ = token_bytes::endless;
    if (!write()) return outcome::over;
    if (kind_ == answer_kind::stepped && more) return outcome::begins_to_step;
    return kind_ == answer_kind::paced ? outcome::begins_to_pace : outcome::goes_on;
}

connection::outcome connection::refuse(std::string_view reason) {
    std::fprintf(stderr, "fast_upstream: refuses a request: %.*s\n", static_cast<int>(reason.size()), reason.data());
    first_ = refused;
    static_cast<void>(write());
    return outcome::over;
}

bool connection::owe_token() {
    ++due_;
    if (kind_ != answer_kind::stepped || due_ != number_) return true;
    ending_text_ = chunk(stream().ending(number_)) + "0\r\n\r\n";
    ending_ = ending_text_;
    return false;
}

/// False when the connection is over; what the socket did not take stays in `bytes`.
bool connection::write_all(std::string_view& bytes) {
    while (!bytes.empty()) {
        const ssize_t count = send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0) return !is_over(count);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool connection::write() {
    if (!write_all(first_)) return false;
    if (!first_.empty()) return true;
    token_bytes& tokens = stream().tokens;
    for (std::size_t budget = write_bytes; at_.token < due_ && budget > 0;) {
        const std::string_view rest = tokens.from(at_, due_, budget);
        const ssize_t count = send(fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
        if (count < 0) return !is_over(count);
        const auto size = static_cast<std::size_t>(count);
        at_ = tokens.after(at_, size);
        budget -= size;
        if (size < rest.size()) return true;
    }
    return at_.token < due_ || write_all(ending_);
}

} // namespace turnout::fast
