#include "fake_upstreams/fast/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include <sys/socket.h>

#include "fake_upstreams/fast/chat.hpp"

namespace turnout::fast {
namespace {

constexpr std::size_t read_bytes = 64 * 1024;
constexpr std::size_t write_bytes = 256 * 1024; // per turn, so that no stream starves the others
constexpr std::string_view refused = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

bool is_over(ssize_t result) { return result == 0 || (result < 0 && errno != EAGAIN && errno != EINTR); }

} // namespace

answers::answers(std::string_view model, std::string_view asked_model, std::size_t completion_bytes)
    : asked(asked_model) {
    const std::string body = completion(model, completion_bytes);
    json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + std::to_string(body.size())
           + "\r\n\r\n" + body;
    const std::string token = chunk(content_event(model));
    opened = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
             + chunk(role_event(model)) + token;
    tokens = repeated(token, write_bytes);
    token_bytes = token.size();
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
    if (!answers_.asked.empty() && asked.model != answers_.asked) return refuse("the request names another model");
    kind_ = asked.kind;
    per_second_ = asked.per_second;
    body_left_ = asked.body_left;
    return body_left_ == 0 ? answer() : outcome::goes_on;
}

connection::outcome connection::answer() {
    first_ = kind_ == answer_kind::json ? answers_.json : answers_.opened;
    if (kind_ == answer_kind::flooded) due_ = std::numeric_limits<std::uint64_t>::max();
    if (!write()) return outcome::over;
    return kind_ == answer_kind::paced ? outcome::begins_to_pace : outcome::goes_on;
}

connection::outcome connection::refuse(std::string_view reason) {
    std::fprintf(stderr, "fast_upstream: refuses a request: %.*s\n", static_cast<int>(reason.size()), reason.data());
    first_ = refused;
    static_cast<void>(write());
    return outcome::over;
}

bool connection::write() {
    while (!first_.empty()) {
        const ssize_t count = send(fd(), first_.data(), first_.size(), MSG_NOSIGNAL);
        if (count < 0) return !is_over(count);
        first_.remove_prefix(static_cast<std::size_t>(count));
    }
    std::size_t budget = write_bytes;
    while (written_ < due_ && budget > 0) {
        const std::string_view rest = std::string_view(answers_.tokens).substr(written_ % answers_.token_bytes);
        const std::size_t size = std::min({rest.size(), budget, static_cast<std::size_t>(due_ - written_)});
        const ssize_t count = send(fd(), rest.data(), size, MSG_NOSIGNAL);
        if (count < 0) return !is_over(count);
        written_ += static_cast<std::size_t>(count);
        budget -= static_cast<std::size_t>(count);
        if (static_cast<std::size_t>(count) < size) return true;
    }
    return true;
}

} // namespace turnout::fast
