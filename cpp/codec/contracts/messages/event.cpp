#include "codec/contracts/messages/event.hpp"

#include <array>

#include "codec/contracts/provider_error.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::messages {
namespace {

/// In the order of `event_kind`.
constexpr std::array<std::string_view, 8> names{
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    "error",
};

class event_reader {
public:
    event_reader(std::string_view data, event_facts& facts) : data_(data), scan_(data), facts_(facts) {}

    bool read(std::string_view event_name) {
        if (scan_.peek() != json::kind::object) return false;
        begin(facts_.place);
        json::string_token name;
        while (scan_.next_member(name)) {
            facts_.place.empty = false;
            read_member(name);
        }
        facts_.typed = is_text(facts_.type);
        facts_.kind = facts_.typed ? kind_of_type() : messages::kind_of(event_name);
        return scan_.finish() && !doubled_;
    }

private:
    event_kind kind_of_type() const {
        const std::string_view type = facts_.type.substr(1, facts_.type.size() - 2);
        if (type.find('\\') == type.npos) return messages::kind_of(type);
        return messages::kind_of(json::string_token{type, true}.decode());
    }

    void begin(object_place& place) {
        scan_.begin_object();
        place = {data_.substr(scan_.offset(), 0), true};
    }

    void read_member(const json::string_token& name) {
        std::string_view value;
        if (name.equals("delta")) {
            scan_.peek(); // passes blank space
            const std::size_t start = scan_.offset();
            facts_.delta = read_delta(scan_);
            facts_.delta_value = data_.substr(start, scan_.offset() - start);
        } else if (name.equals("content_block")) {
            read_block_value();
        } else if (name.equals("message")) {
            read_message();
        } else if (name.equals("usage")) {
            read_usage_value(facts_.usage);
        } else if (!scan_.skip(value)) {
            return;
        } else if (name.equals("type")) {
            facts_.type = value;
        } else if (name.equals("index")) {
            facts_.index = json::to_integer(value);
            facts_.index_value = value;
        } else if (name.equals("model")) {
            if (is_text(value)) facts_.model.found(value);
        } else if (name.equals("error")) {
            facts_.error = is_error_value(json::kind_of(value.front()), value);
        }
    }

    void read_block_value() {
        const bool object = scan_.peek() == json::kind::object;
        const std::size_t start = scan_.offset();
        if (object) {
            facts_.block = read_block(scan_);
        } else {
            scan_.skip();
        }
        facts_.block_value = data_.substr(start, scan_.offset() - start);
    }

    void read_message() {
        message_facts& message = facts_.message;
        doubled_ = doubled_ || message.present;
        message = {};
        message.present = scan_.peek() == json::kind::object;
        if (!message.present) {
            scan_.skip();
            return;
        }
        const std::size_t start = scan_.offset();
        begin(message.place);
        json::string_token name;
        std::string_view value;
        while (scan_.next_member(name)) {
            message.place.empty = false;
            if (name.equals("usage")) {
                read_usage_value(message.usage);
            } else if (!scan_.skip(value)) {
                return;
            } else if (name.equals("model")) {
                if (is_text(value)) message.model.found(value);
            } else if (name.equals("content")) {
                message.content = value;
            }
        }
        message.value = data_.substr(start, scan_.offset() - start);
    }

    void read_usage_value(std::string_view& value) {
        json::scanner ahead = scan_;
        if (scan_.skip(value)) facts_.counts = read_usage(ahead);
    }

    std::string_view data_;
    json::scanner scan_;
    event_facts& facts_;
    bool doubled_ = false; ///< there are two messages, which no client reads alike
};

} // namespace

std::string_view name_of(event_kind kind) {
    return kind == event_kind::other ? std::string_view{} : names.at(static_cast<std::size_t>(kind));
}

event_kind kind_of(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<event_kind>(i);
    }
    return event_kind::other;
}

bool read_event(std::string_view name, std::string_view data, event_facts& facts) {
    facts = {};
    facts.data = data;
    return event_reader(data, facts).read(name);
}

} // namespace turnout::codec::messages
