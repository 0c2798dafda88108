#include "codec/contracts/messages/request.hpp"

#include <cstdint>
#include <optional>

#include "codec/contracts/request_reader.hpp"

namespace turnout::codec::messages {
namespace {

class count_reader : public request_reader {
public:
    using request_reader::request_reader;

protected:
    void read_member(const json::string_token& name) override {
        if (name.equals("messages")) {
            if (once(seen_messages_, "messages")) read_array("messages");
        } else {
            scan().skip();
        }
    }

    void check_presence() override {
        require(seen_messages_, "messages");
        request().stream = false;
    }

    bool seen_messages_ = false;
};

class messages_reader final : public count_reader {
public:
    using count_reader::count_reader;

private:
    void read_member(const json::string_token& name) override {
        if (name.equals("max_tokens")) {
            if (once(seen_max_tokens_, "max_tokens")) read_max_tokens();
        } else {
            count_reader::read_member(name);
        }
    }

    void check_presence() override {
        require(seen_max_tokens_, "max_tokens");
        require(seen_messages_, "messages");
    }

    void read_max_tokens() {
        const json::kind kind = scan().peek();
        std::string_view text;
        if (!scan().skip(text)) return;
        const bool number = kind == json::kind::number;
        const std::optional<std::int64_t> value = number ? json::to_integer(text) : std::nullopt;
        if (value && *value >= 0) return; // 0 only fills the provider's cache
        refuse(number ? "invalid_value" : "invalid_type", "max_tokens", "'max_tokens' must be a non-negative integer.");
    }

    bool seen_max_tokens_ = false;
};

} // namespace

std::variant<contract_request, request_problem> parse_request(std::string_view body) {
    return messages_reader(body).read();
}

std::variant<contract_request, request_problem> parse_count_request(std::string_view body) {
    return count_reader(body).read();
}

} // namespace turnout::codec::messages
