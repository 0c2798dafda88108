#include "codec/contracts/chat/answer_chunks.hpp"

#include <cstdint>
#include <deque>
#include <string>

#include "base/edit.hpp"
#include "codec/contracts/chat/finish.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::chat {
namespace {

/// Tool calls of a delta are numbered, those of a message are not.
void number_tool_calls(json::scanner& s, base::edit_list& edits, std::deque<std::string>& texts) {
    if (s.peek() != json::kind::array) {
        s.skip();
        return;
    }
    s.begin_array();
    for (std::size_t place = 0; s.next_element(); ++place) {
        if (s.peek() != json::kind::object) {
            s.skip();
            continue;
        }
        s.begin_object();
        const std::size_t start = s.offset();
        bool numbered = false;
        bool empty = true;
        json::string_token name;
        while (s.next_member(name) && s.skip()) {
            numbered = numbered || name.equals("index");
            empty = false;
        }
        if (numbered) continue;
        texts.push_back(R"("index":)" + std::to_string(place) + (empty ? "" : ","));
        edits.push_back({start, 0, texts.back()});
    }
}

std::string delta_of(std::string_view message) {
    json::scanner s(message);
    base::edit_list edits;
    std::deque<std::string> texts; // of the edits; a deque leaves them where they are
    json::string_token name;
    s.begin_object();
    while (s.next_member(name)) {
        if (name.equals("tool_calls")) {
            number_tool_calls(s, edits, texts);
        } else {
            s.skip();
        }
    }
    std::string delta;
    apply(message, edits, delta);
    return delta;
}

void append_member(std::string& out, const json::string_token& name, std::string_view value) {
    out += '"';
    out += name.raw;
    out += "\":";
    out += value;
    out += ',';
}

class chunk_maker {
public:
    std::vector<std::string> make(std::string_view answer) {
        json::scanner s(answer);
        json::string_token name;
        std::string_view value;
        std::string_view choices = "[]";
        std::string_view usage;
        s.begin_object();
        while (s.next_member(name)) {
            const json::kind kind = s.peek();
            if (!s.skip(value)) break;
            if (name.equals("choices")) {
                choices = value;
            } else if (name.equals("usage")) {
                if (kind == json::kind::object) usage = value;
            } else if (!name.equals("object")) {
                append_member(head_, name, value);
            }
        }
        add_choices(choices);
        if (!usage.empty()) add("[]", R"(,"usage":)" + std::string(usage));
        return std::move(chunks_);
    }

private:
    void add_choices(std::string_view choices) {
        json::scanner s(choices);
        std::string_view choice;
        s.begin_array();
        for (std::int64_t place = 0; s.next_element() && s.skip(choice); ++place) {
            if (choice.starts_with('{')) add_choice(choice, place);
        }
    }

    void add_choice(std::string_view choice, std::int64_t place) {
        json::scanner s(choice);
        json::string_token name;
        std::string_view value;
        std::string_view message;
        std::string_view finish;
        std::string extra; // members such as logprobs belong to the output
        s.begin_object();
        while (s.next_member(name) && s.skip(value)) {
            if (name.equals("index")) {
                place = json::to_integer(value).value_or(place);
            } else if (name.equals("message")) {
                message = value;
            } else if (name.equals("finish_reason")) {
                finish = value;
            } else {
                append_member(extra, name, value);
            }
        }
        const std::string index = R"([{"index":)" + std::to_string(place) + ',';
        const std::string delta = message.starts_with('{') ? delta_of(message) : "{}";
        add(index + extra + R"("delta":)" + delta + R"(,"finish_reason":null}])");
        if (finish_of(finish) != finish_kind::none) {
            add(index + R"("delta":{},"finish_reason":)" + std::string(finish) + "}]");
        }
    }

    void add(const std::string& choices, const std::string& rest = {}) {
        chunks_.push_back('{' + head_ + R"("object":"chat.completion.chunk","choices":)" + choices + rest + '}');
    }

    std::string head_; ///< members that every chunk has, each with its comma
    std::vector<std::string> chunks_;
};

} // namespace

std::vector<std::string> answer_chunks(std::string_view answer) { return chunk_maker().make(answer); }

} // namespace turnout::codec::chat
