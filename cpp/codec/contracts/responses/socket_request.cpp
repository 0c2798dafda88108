#include "codec/contracts/responses/socket_request.hpp"

#include <algorithm>
#include <utility>

#include "codec/contracts/responses/reader.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::responses {
namespace {

constexpr std::string_view only_type = "response.create";
constexpr std::string_view blank = " \t\r\n";

class socket_reader final : public reader {
public:
    explicit socket_reader(std::string_view message) : reader(message), message_(message) {}

    std::variant<socket_request, request_problem> read_message() {
        auto parsed = read();
        if (auto* problem = std::get_if<request_problem>(&parsed)) return std::move(*problem);
        found_.request = std::move(std::get<contract_request>(parsed));
        found_.request.stream = true;
        found_.input = input();
        return std::move(found_);
    }

private:
    void read_member(const json::string_token& name) override {
        const std::size_t begin = scan().offset_of(name.raw) - 1;
        if (name.equals("type")) {
            if (once(seen_type_, "type")) read_type(begin);
        } else if (name.equals("generate")) {
            if (once(seen_generate_, "generate")) read_generate(begin);
        } else if (name.equals("stream_options")) {
            refuse_member("stream_options", "a WebSocket always streams");
        } else if (name.equals("stream_id")) {
            refuse_member("stream_id", "a WebSocket takes one turn at a time");
        } else {
            reader::read_member(name);
        }
    }

    void read_stream() override { refuse_member("stream", "a WebSocket always streams"); }
    void read_background() override { refuse_member("background", "an answer is waited for"); }
    void check_kind() override { require(seen_type_, "type"); }

    void refuse_member(std::string_view name, std::string_view why) {
        scan().skip();
        refuse("unsupported_parameter", name,
               "'" + std::string(name) + "' is not supported here: " + std::string(why) + ". Leave it out.");
    }

    void read_type(std::size_t begin) {
        json::string_token type;
        if (scan().peek() != json::kind::string) {
            scan().skip();
            refuse("invalid_type", "type", "'type' must be a string.");
        } else if (scan().read_string(type)) {
            if (!type.equals(only_type)) refuse("invalid_value", "type", "'type' must be 'response.create'.");
            form(begin, scan().offset(), streamed);
            found_.type_offset = begin;
        }
    }

    void read_generate(std::size_t begin) {
        const bool null = scan().peek() == json::kind::null;
        found_.generate = read_switch("generate") || null;
        remove(begin, last_value().offset + last_value().length);
    }

    void form(std::size_t begin, std::size_t end, std::string_view text) {
        insert_sorted(request().edits, {begin, end - begin, text});
    }

    /// Takes a member out, with the comma that follows it or else the one before it.
    void remove(std::size_t begin, std::size_t end) {
        const std::size_t next = std::min(message_.find_first_not_of(blank, end), message_.size());
        if (next < message_.size() && message_[next] == ',') {
            end = next + 1;
        } else if (const std::size_t before = message_.find_last_not_of(blank, begin - 1);
                   before != std::string_view::npos && message_[before] == ',') {
            begin = before;
        }
        form(begin, end, {});
    }

    std::string_view message_;
    socket_request found_;
    bool seen_type_ = false;
    bool seen_generate_ = false;
};

} // namespace

std::variant<socket_request, request_problem> read_socket_request(std::string_view message) {
    return socket_reader(message).read_message();
}

} // namespace turnout::codec::responses
