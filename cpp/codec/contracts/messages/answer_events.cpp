#include "codec/contracts/messages/answer_events.hpp"

#include <cstddef>

#include "base/edit.hpp"
#include "codec/contracts/accept.hpp"
#include "codec/contracts/messages/block.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::messages {
namespace {

/// What belongs to the end of a message, or is made anew there.
bool is_of_the_end(const json::string_token& name) {
    return name.equals("stop_reason") || name.equals("stop_sequence") || name.equals("stop_details");
}

void append_member(std::string& out, const json::string_token& name, std::string_view value) {
    if (out.back() != '{') out += ',';
    out += '"';
    out += name.raw;
    out += "\":";
    out += value;
}

class event_maker {
public:
    std::vector<std::string> make(std::string_view answer) {
        std::string_view content = "[]";
        std::string_view usage;
        std::string end = R"({"type":"message_delta","delta":{)";
        bool stopped = false;
        std::string begin = R"({"type":"message_start","message":{)";
        json::scanner s(answer);
        json::string_token name;
        std::string_view value;
        s.begin_object();
        while (s.next_member(name) && s.skip(value)) {
            if (name.equals("content")) {
                content = value;
                append_member(begin, name, "[]");
            } else if (is_of_the_end(name)) {
                stopped = stopped || (name.equals("stop_reason") && is_text(value));
                append_member(begin, name, "null");
                append_member(end, name, value);
            } else {
                if (name.equals("usage")) usage = value;
                if (name.equals("container")) append_member(end, name, value);
                append_member(begin, name, value);
            }
        }
        events_.push_back(begin + "}}");
        add_blocks(content);
        end += '}';
        if (usage.starts_with('{')) end.append(R"(,"usage":)").append(usage);
        if (stopped) events_.push_back(end + '}');
        return std::move(events_);
    }

private:
    void add_blocks(std::string_view content) {
        json::scanner s(content);
        std::string_view block;
        s.begin_array();
        while (s.next_element() && s.skip(block)) {
            if (block.starts_with('{')) add_block(block);
        }
    }

    static std::string_view type_of(std::string_view block) {
        json::scanner s(block);
        json::string_token name;
        std::string_view value;
        std::string_view type;
        s.begin_object();
        while (s.next_member(name) && s.skip(value)) {
            if (name.equals("type")) type = value;
        }
        return type;
    }

    /// What comes as a delta is empty in the start.
    void add_block(std::string_view block) {
        const std::string at = R"(","index":)" + std::to_string(next_index_++);
        base::edit_list edits;
        std::vector<std::string> deltas;
        const std::string_view type = type_of(block);
        const bool thinks = type == R"("thinking")";
        json::scanner s(block);
        json::string_token name;
        std::string_view value;
        const auto take = [&](std::string_view empty, std::string_view delta_type, std::string_view member) {
            edits.push_back({static_cast<std::size_t>(value.data() - block.data()), value.size(), empty});
            std::string delta = R"({"type":"content_block_delta)" + at + R"(,"delta":{"type":")";
            delta.append(delta_type).append(R"(",")").append(member).append("\":");
            if (value.front() == '{') {
                json::write_json_string(delta, value);
            } else {
                delta += value;
            }
            deltas.push_back(delta + "}}");
        };
        s.begin_object();
        while (s.next_member(name) && s.skip(value)) {
            if (name.equals("text") && type == R"("text")" && is_text(value)) {
                take(R"("")", "text_delta", "text");
            } else if (name.equals("thinking") && thinks && is_text(value)) {
                take(R"("")", "thinking_delta", "thinking");
            } else if (name.equals("signature") && thinks && is_text(value)) {
                take(R"("")", "signature_delta", "signature");
            } else if (name.equals("input") && type.ends_with("tool_use\"") && value.starts_with('{')) {
                take("{}", "input_json_delta", "partial_json");
            }
        }
        std::string start = R"({"type":"content_block_start)" + at + R"(,"content_block":)";
        apply(block, edits, start);
        events_.push_back(start + '}');
        for (std::string& delta : deltas) events_.push_back(std::move(delta));
        events_.push_back(R"({"type":"content_block_stop)" + at + '}');
    }

    std::size_t next_index_ = 0;
    std::vector<std::string> events_;
};

} // namespace

std::vector<std::string> answer_events(std::string_view answer) { return event_maker().make(answer); }

} // namespace turnout::codec::messages
