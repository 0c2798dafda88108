#include "codec/contracts/responses/event.hpp"

#include <array>
#include <utility>

#include "codec/contracts/provider_error.hpp"
#include "codec/contracts/responses/output.hpp"

namespace turnout::codec::responses {
namespace {

constexpr std::string_view prefix = "response.";

/// Where events hold what came whole, instead of a `delta`.
constexpr auto text_members =
    std::to_array<std::string_view>({"text", "arguments", "refusal", "input", "code", "command", "diff", "transcript"});

bool is_text_member(const json::string_token& name) {
    for (const std::string_view member : text_members) {
        if (name.equals(member)) return true;
    }
    return false;
}

class event_reader {
public:
    event_reader(std::string_view data, event_facts& facts, const kept_response* known)
        : data_(data), scan_(data), facts_(facts), known_(known) {}

    bool read() {
        if (scan_.peek() != json::kind::object || !scan_.begin_object()) return false;
        facts_.start = data_.substr(scan_.offset(), 0);
        json::string_token name;
        while (scan_.next_member(name)) {
            facts_.empty = false;
            read_member(name);
        }
        return scan_.finish() && !doubled_;
    }

private:
    void read_member(const json::string_token& name) {
        if (name.equals("delta")) {
            read_delta();
        } else if (name.equals("item")) {
            scan_.peek(); // passes blank space
            const std::size_t start = scan_.offset();
            facts_.item_output = read_item(scan_);
            facts_.item = data_.substr(start, scan_.offset() - start);
        } else if (name.equals("part")) {
            facts_.part_output = read_part(scan_);
        } else if (name.equals("response")) {
            doubled_ = doubled_ || !facts_.response.value.empty();
            facts_.response = read_known_response();
        } else if (is_text_member(name)) {
            facts_.text = read_text(scan_) || facts_.text;
        } else {
            read_plain_member(name);
        }
    }

    response_facts read_known_response() {
        if (known_ == nullptr || known_->text().empty() || !scan_.pass(known_->text()))
            return read_response(data_, scan_);
        return known_->read_at(data_.data() + scan_.offset() - known_->text().size());
    }

    void read_delta() {
        const json::kind kind = scan_.peek();
        if (kind != json::kind::object) {
            std::string_view value;
            facts_.delta = scan_.skip(value) && is_text(value);
            if (facts_.delta) facts_.delta_text = value.substr(1, value.size() - 2);
            return;
        }
        json::string_token name;
        scan_.begin_object();
        while (scan_.next_member(name)) facts_.delta_parts = read_text(scan_) || facts_.delta_parts;
    }

    void read_plain_member(const json::string_token& name) {
        const json::kind kind = scan_.peek();
        std::string_view value;
        if (!scan_.skip(value)) return;
        if (name.equals("type")) {
            facts_.type = {};
            if (kind == json::kind::string) {
                const std::string_view raw = value.substr(1, value.size() - 2);
                facts_.type = {raw, raw.find('\\') != raw.npos};
            }
            facts_.type_value = value;
        } else if (name.equals("sequence_number")) {
            facts_.sequence = json::to_integer(value);
            facts_.sequence_value = value;
        } else if (name.equals("output_index")) {
            facts_.output_index = json::to_integer(value).value_or(0);
        } else if (name.equals("response_id")) {
            if (is_text(value)) facts_.response_id = value;
        } else if (name.equals("model")) {
            if (is_text(value)) facts_.model.found(value);
        } else if (name.equals("error")) {
            facts_.error = is_error_value(kind, value) || facts_.error;
        } else if (name.equals("object")) {
            facts_.error = value == R"("error")" || facts_.error;
        } else if (name.equals("obfuscation")) {
            if (is_text(value)) facts_.obfuscation = value.substr(1, value.size() - 2);
        }
    }

    std::string_view data_;
    json::scanner scan_;
    event_facts& facts_;
    const kept_response* known_;
    bool doubled_ = false; ///< there are two responses, which no client reads alike
};

constexpr auto kinds = std::to_array<std::pair<std::string_view, event_kind>>({
    {"created", event_kind::started},
    {"in_progress", event_kind::running},
    {"queued", event_kind::running},
    {"completed", event_kind::finished},
    {"incomplete", event_kind::finished},
    {"failed", event_kind::failed},
    {"cancelled", event_kind::cancelled},
    {"output_item.added", event_kind::item_added},
    {"output_item.done", event_kind::item_done},
});

} // namespace

bool read_event(std::string_view data, event_facts& facts, const kept_response* known) {
    facts = {};
    return event_reader(data, facts, known).read();
}

event_kind kind_of(std::string_view type) {
    if (!type.starts_with(prefix)) {
        if (type == "error") return event_kind::error;
        return type == "keepalive" || type == "ping" ? event_kind::keepalive : event_kind::other;
    }
    type.remove_prefix(prefix.size());
    for (const auto& [name, kind] : kinds) {
        if (type == name) return kind;
    }
    return event_kind::other;
}

bool has_output(std::string_view type, const event_facts& facts) {
    if (!type.starts_with(prefix)) return false;
    if (facts.delta) return true;
    type.remove_prefix(prefix.size());
    // A call's progress is news of a tool, also where the call itself was not announced.
    if (const std::size_t dot = type.find('.'); dot != type.npos && type.substr(0, dot).ends_with("_call")) return true;
    if (type == "shell_call_output_content.delta") return facts.delta_parts;
    if (type.ends_with(".added") || type.ends_with(".done")) {
        return facts.text || facts.part_output || facts.item_output;
    }
    return false;
}

bool is_of_no_turn(std::string_view message) {
    event_facts facts;
    if (!read_event(message, facts) || facts.error || !facts.response.value.empty()) return false;
    const auto [type, escaped] = facts.type;
    return !type.empty() && !escaped && !type.starts_with(prefix) && type != "error";
}

} // namespace turnout::codec::responses
