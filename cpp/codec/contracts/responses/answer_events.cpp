#include "codec/contracts/responses/answer_events.hpp"

#include <initializer_list>
#include <utility>
#include <vector>

#include "codec/contracts/accept.hpp"
#include "codec/contracts/event_writer.hpp"
#include "codec/contracts/responses/object_text.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {
namespace {

constexpr std::string_view no_text = R"("")";

/// Calls `visit` for each object in the array with its place.
template <class Visit>
void for_each_object(std::string_view array, Visit visit) {
    json::scanner s(array);
    std::string_view element;
    if (s.peek() != json::kind::array || !s.begin_array()) return;
    for (std::int64_t place = 0; s.next_element() && s.skip(element); ++place) {
        if (element.starts_with('{')) visit(element, place);
    }
}

/// How the text of a part, or the input of a call, is told piece by piece.
struct told_text {
    std::string_view member; ///< where the part or item holds it
    std::string_view events; ///< what its events begin with
    bool with_logprobs = false;
};

const told_text* text_of_part(std::string_view type) {
    static constexpr told_text output{"text", "response.output_text", true};
    static constexpr told_text refusal{"refusal", "response.refusal"};
    static constexpr told_text reasoning{"text", "response.reasoning_text"};
    if (type == R"("output_text")") return &output;
    if (type == R"("refusal")") return &refusal;
    return type == R"("reasoning_text")" ? &reasoning : nullptr;
}

const told_text* text_of_call(std::string_view type) {
    static constexpr told_text function{"arguments", "response.function_call_arguments"};
    static constexpr told_text custom{"input", "response.custom_tool_call_input"};
    if (type == R"("function_call")") return &function;
    return type == R"("custom_tool_call")" ? &custom : nullptr;
}

class event_maker {
public:
    explicit event_maker(std::string& out) : out_(out) {}

    std::int64_t make(std::string_view answer) {
        const std::string begun = R"("response":)" + begun_response(answer);
        add("response.created", begun);
        add("response.in_progress", begun);
        for_each_object(value_of(answer, "output"), [&](std::string_view item, std::int64_t) { add_item(item); });
        return number_;
    }

private:
    void add_item(std::string_view item) {
        const std::string_view type = value_of(item, "type");
        const told_text* const call = text_of_call(type);
        const std::string index = R"("output_index":)" + std::to_string(item_++);
        const std::string place = R"("item_id":)" + std::string(value_of(item, "id", no_text)) + ',' + index;
        std::string begun = with_members(item, {{"status", R"("in_progress")", false},
                                                {"content", "[]", type == R"("message")"},
                                                {"summary", "[]", false}});
        if (call != nullptr) begun = with_members(begun, {{call->member, no_text}});
        add("response.output_item.added", index + R"(,"item":)" + begun);
        if (call != nullptr) add_text(*call, place, value_of(item, call->member));
        for_each_object(value_of(item, "summary"), [&](std::string_view part, std::int64_t i) {
            static constexpr told_text summary{"text", "response.reasoning_summary_text"};
            add_part("response.reasoning_summary_part", place + R"(,"summary_index":)" + std::to_string(i), part,
                     &summary);
        });
        for_each_object(value_of(item, "content"), [&](std::string_view part, std::int64_t i) {
            add_part("response.content_part", place + R"(,"content_index":)" + std::to_string(i), part,
                     text_of_part(value_of(part, "type")));
        });
        add("response.output_item.done", index + R"(,"item":)" + std::string(item));
    }

    /// `told` is null for a part that has no text of its own.
    void add_part(std::string_view events, const std::string& place, std::string_view part, const told_text* told) {
        const std::string begun =
            told == nullptr
                ? std::string(part)
                : with_members(part,
                               {{told->member, no_text}, {"annotations", "[]", false}, {"logprobs", "[]", false}});
        add(std::string(events) + ".added", place + R"(,"part":)" + begun);
        if (told != nullptr) add_text(*told, place, value_of(part, told->member));
        add(std::string(events) + ".done", place + R"(,"part":)" + std::string(part));
    }

    void add_text(const told_text& told, const std::string& place, std::string_view text) {
        if (!is_text(text)) return;
        const std::string_view logprobs = told.with_logprobs ? R"(,"logprobs":[])" : "";
        const std::string value(text);
        add(std::string(told.events) + ".delta", place + R"(,"delta":)" + value + std::string(logprobs));
        add(std::string(told.events) + ".done",
            place + ",\"" + std::string(told.member) + "\":" + value + std::string(logprobs));
    }

    void add(std::string_view type, const std::string& members) {
        std::string data = R"({"type":")" + std::string(type) + R"(","sequence_number":)" + std::to_string(number_++);
        data.append(",").append(members).append("}");
        write_event(out_, type, data, patches_);
    }

    std::string& out_;
    std::vector<patch> patches_; ///< none
    std::int64_t number_ = 0;
    std::int64_t item_ = 0;
};

} // namespace

std::int64_t write_answer_events(std::string& out, std::string_view answer) { return event_maker(out).make(answer); }

std::string begun_response(std::string_view response) {
    return with_members(response, {{"status", R"("in_progress")"},
                                   {"output", "[]"},
                                   {"usage", "null", false},
                                   {"incomplete_details", "null", false},
                                   {"completed_at", "null", false}});
}

} // namespace turnout::codec::responses
