#include "codec/contracts/responses/warm_up.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codec/contracts/responses/responses.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"
#include "codec/json_string.hpp"

namespace turnout::codec::responses {
namespace {

constexpr std::string_view user_says = R"({"role":"user","content":)";

std::string_view part_of(std::string_view message, const byte_range& r) { return message.substr(r.offset, r.length); }

/// The items of an input, without the brackets; a text is what the user says.
std::string items_of(std::string_view input) {
    if (input.empty()) return {};
    if (input.front() == '[') return std::string(json::trim(input.substr(1, input.size() - 2)));
    return std::string(user_says) + std::string(input) + '}';
}

} // namespace

warm_up::warm_up(std::string id, std::string_view message, const socket_request& request, const warm_up* before)
    : id_(std::move(id)), items_(items_of(part_of(message, request.input))) {
    if (before == nullptr) {
        if (request.request.previous) previous_ = request.request.previous->shown;
        return;
    }
    previous_ = before->previous_;
    if (before->items_.empty()) return;
    if (!items_.empty()) items_.insert(0, 1, ',');
    items_.insert(0, before->items_);
}

void warm_up::precede(std::string_view message, socket_request& turn) const {
    auto& edits = turn.request.edits;
    auto& previous = turn.request.previous;
    if (previous_.empty()) {
        insert_sorted(edits, {previous->offset, previous->length, "null"});
        previous = nullptr;
    } else {
        previous->shown = previous_;
    }
    const std::string_view input = part_of(message, turn.input);
    if (items_.empty()) return;
    if (input.empty()) {
        // What is put in where another edit replaces something has to come first.
        const auto place =
            std::find_if(edits.begin(), edits.end(), [&](const base::edit& e) { return e.offset == turn.type_offset; });
        const base::edit added[]{
            {turn.type_offset, 0, R"("input":[)"}, {turn.type_offset, 0, items_}, {turn.type_offset, 0, "],"}};
        edits.insert(place, std::begin(added), std::end(added));
        return;
    }
    const auto insert = [&](std::size_t at, std::string_view text) { insert_sorted(edits, {at, 0, text}); };
    if (input.front() == '[') {
        insert(turn.input.offset + 1, items_);
        if (!json::trim(input.substr(1, input.size() - 2)).empty()) insert(turn.input.offset + 1, ",");
        return;
    }
    insert(turn.input.offset, "[");
    insert(turn.input.offset, items_);
    insert(turn.input.offset, ",");
    insert(turn.input.offset, user_says);
    // The closing quote is replaced, since another edit may begin behind it.
    insert_sorted(edits, {turn.input.offset + turn.input.length - 1, 1, "\"}]"});
}

void warm_up::write_events(std::string& out, const std::string& public_model, std::int64_t created) const {
    const std::string answer =
        R"({"id":)" + json::to_json_string(id_) + R"(,"object":"response","created_at":)" + std::to_string(created)
        + R"(,"status":"completed","error":null,"incomplete_details":null,"model":)"
        + json::to_json_string(public_model)
        + R"(,"output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"metadata":{},)"
          R"("usage":{"input_tokens":0,"input_tokens_details":{"cached_tokens":0},"output_tokens":0,)"
          R"("output_tokens_details":{"reasoning_tokens":0},"total_tokens":0}})";
    const auto tracker = instance().make_tracker({.public_model = public_model});
    tracker->on_answer(answer, out);
    tracker->close(out, {});
}

} // namespace turnout::codec::responses
