#include "codec/contracts/messages/tracker.hpp"

#include <algorithm>
#include <utility>

#include "codec/contracts/messages/answer.hpp"
#include "codec/contracts/messages/answer_events.hpp"
#include "codec/contracts/messages/own_events.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::messages {
namespace {

/// More blocks open at once are relayed but not followed, which bounds the memory of a stream.
constexpr std::size_t most_open_blocks = 256;

/// What servers that also speak the chat protocol put behind every stream.
constexpr std::string_view chat_end_marker = "[DONE]";

/// Gives an object the members in `added`, each of them with a comma behind it.
void add_members(std::vector<patch>& patches, const object_place& place, std::string& added) {
    if (added.empty()) return;
    if (place.empty) added.pop_back();
    patches.push_back({place.start, added});
}

} // namespace

tracker::tracker(tracker_options options)
    : options_(std::move(options)),
      model_(json::to_json_string(options_.public_model)),
      repetition_(options_.use_repetition) {}

frame_class tracker::on_event(const sse::event& e, std::string& out) {
    if (failed()) return frame_class::error;
    if (stopped_) return frame_class::end;
    const std::string_view data = json::trim(e.data);
    if (repetition_.matches(e.name, data)) {
        repetition_.write(out);
        return frame_class::commits;
    }
    repetition_.forget();
    const event_kind named = kind_of(e.name);
    if (named == event_kind::error)
        return fail_unless_finished(in_band_failure(base::failure_origin::error_event, data));
    if (data.empty() && named == event_kind::message_stop) return on_message_stop({});
    if (data.empty()) return frame_class::metadata;
    if (data == chat_end_marker) {
        stopped_ = finished_;
        if (stopped_) settle(true);
        return stopped_ ? frame_class::end : frame_class::metadata;
    }
    if (data.front() == ':') {
        note(anomaly::malformed_keepalive);
        return frame_class::metadata;
    }
    if (!read_event(e.name, data, event_)) {
        return named == event_kind::ping ? frame_class::metadata : on_unreadable(data);
    }
    if (event_.error) return fail_unless_finished(in_band_failure(base::failure_origin::error_event, data));
    if (spoiled_ && event_.kind != event_kind::message_stop) return frame_class::metadata;
    patches_.clear();
    added_.clear();
    switch (event_.kind) {
    case event_kind::message_start: return on_message_start(data, out);
    case event_kind::content_block_start: return on_block_start(data, out);
    case event_kind::content_block_delta: return on_block_delta(e.name, data, out);
    case event_kind::content_block_stop: return on_block_stop(data, out);
    case event_kind::message_delta: return on_message_delta(data, out);
    case event_kind::message_stop: return on_message_stop(event_.typed ? data : std::string_view{});
    case event_kind::ping: return frame_class::metadata;
    case event_kind::error: return fail_unless_finished(in_band_failure(base::failure_origin::error_event, data));
    case event_kind::other: return on_other(e.name, data, out);
    }
    return frame_class::metadata;
}

/// Clients' SDKs add to the content, and write into the usage, that a message begins with.
frame_class tracker::on_message_start(std::string_view data, std::string& out) {
    const message_facts& message = event_.message;
    if (started_ || !message.present)
        return fail_unless_finished(malformed_body()); // a second one: two streams were spliced
    started_ = true;
    counts_.overlay(event_.counts);
    added_message_.clear();
    const auto need = [&](std::string_view value, char opening, std::string_view name, std::string_view instead) {
        if (value.starts_with(opening)) return;
        if (!value.empty()) {
            patches_.push_back({value, instead});
        } else {
            added_message_.append(name).append(instead) += ',';
        }
    };
    need(message.content, '[', R"("content":)", "[]");
    need(message.usage, '{', R"("usage":)", R"({"input_tokens":0,"output_tokens":0})");
    add_members(patches_, message.place, added_message_);
    write(name_of(event_.kind), data, out);
    return frame_class::metadata;
}

frame_class tracker::on_block_start(std::string_view data, std::string& out) {
    give_start(out);
    const block_facts& block = event_.block;
    const std::int64_t index = last_index_ = give_index(last_index_ + 1);
    if (open_block_of(index) == nullptr && open_blocks_.size() < most_open_blocks) {
        open_blocks_.push_back({index, block.semantic, {}});
    }
    constexpr std::string_view no_block = R"({"type":"text","text":""})";
    if (event_.block_value.empty()) {
        added_.append(R"("content_block":)").append(no_block) += ',';
    } else if (!event_.block_value.starts_with('{')) {
        patches_.push_back({event_.block_value, no_block});
    }
    tool_use_ = tool_use_ || block.tool_use;
    commit(block.semantic);
    write(name_of(event_.kind), data, out);
    return block.semantic ? frame_class::commits : frame_class::metadata;
}

/// A signature follows the thinking that it signs, and says something by itself only where that is not shown.
frame_class tracker::on_block_delta(std::string_view name, std::string_view data, std::string& out) {
    if (!event_.delta.present) return frame_class::metadata; // it says nothing, and clients' SDKs fail on it
    give_start(out);
    open_block* const block = open_block_of(give_index(std::max<std::int64_t>(last_index_, 0)));
    const bool alone = block == nullptr || !block->output;
    const bool semantic = event_.delta.text || (event_.delta.signature && alone);
    if (block != nullptr) {
        block->output = block->output || semantic;
        block->input.feed(event_.delta.input);
    }
    commit(semantic);
    const bool unchanged = event_.typed && patches_.empty() && added_.empty();
    write(name_of(event_.kind), data, out);
    if (unchanged && !event_.delta.plain.empty() && event_.delta.input.empty())
        repetition_.keep(name, name_of(event_.kind), data, patches_, {event_.delta.plain});
    return semantic ? frame_class::commits : frame_class::metadata;
}

frame_class tracker::on_block_stop(std::string_view data, std::string& out) {
    give_start(out);
    if (const open_block* const block = open_block_of(give_index(std::max<std::int64_t>(last_index_, 0)))) {
        half_call_ = half_call_ || !block->input.whole();
        open_blocks_.erase(open_blocks_.begin() + (block - open_blocks_.data()));
    } else if (finished_) {
        return frame_class::metadata; // the client was told when the message finished
    }
    write(name_of(event_.kind), data, out);
    return frame_class::metadata;
}

frame_class tracker::on_message_delta(std::string_view data, std::string& out) {
    give_start(out);
    counts_.overlay(event_.counts);
    const bool finishes = event_.delta.finish && !finished_;
    if (finishes) stop_open_blocks(out);
    finished_ = finished_ || finishes;
    const std::string usage = R"({"output_tokens":)" + std::to_string(counts_.output.value_or(0)) + '}';
    constexpr std::string_view no_delta = R"({"stop_reason":null,"stop_sequence":null})";
    if (event_.delta_value.empty()) {
        added_.append(R"("delta":)").append(no_delta) += ',';
    } else if (!event_.delta.present) {
        patches_.push_back({event_.delta_value, no_delta});
    }
    if (event_.usage.empty()) {
        added_ += R"("usage":)" + usage + ',';
    } else if (!event_.usage.starts_with('{')) {
        patches_.push_back({event_.usage, usage});
    }
    write(name_of(event_.kind), data, out);
    return finishes ? frame_class::finished : frame_class::metadata;
}

frame_class tracker::on_message_stop(std::string_view data) {
    if (!finished_ && half_a_call()) {
        truncate();
        return frame_class::error;
    }
    stop_data_ = data;
    stopped_ = true;
    ended_ = true;
    settle(true);
    return frame_class::end;
}

/// Events that we do not know are relayed, unless they show that the stream is of another protocol.
frame_class tracker::on_other(std::string_view name, std::string_view data, std::string& out) {
    if (event_.typed) {
        const std::string_view type = event_.type.substr(1, event_.type.size() - 2);
        if (type.find('\\') == type.npos) name = type;
    } else if (name.empty() && !started_) {
        return fail_unless_finished(malformed_body());
    }
    if (!name.empty() && !is_event_name(name)) return frame_class::metadata;
    hide_models();
    write_event(out, name, data, patches_);
    return frame_class::metadata;
}

frame_class tracker::on_unreadable(std::string_view data) {
    base::failure_report report = in_band_failure(base::failure_origin::error_event, data);
    if (!report.message.empty()) return fail_unless_finished(std::move(report)); // an array with an error in it
    return fail_unless_finished(malformed_body());
}

/// What goes wrong after the message has finished cannot take the answer back.
frame_class tracker::fail_unless_finished(base::failure_report report) {
    if (finished_) {
        note(anomaly::error_after_finish);
        spoiled_ = true;
        return frame_class::metadata;
    }
    return fail(std::move(report));
}

/// Official clients pass over an event without a name, and read its data by the type in it.
void tracker::write(std::string_view name, std::string_view data, std::string& out) {
    std::string type;
    if (!event_.typed) {
        type.append("\"").append(name) += '"';
        if (event_.type.empty()) {
            added_ += R"("type":)" + type + ',';
        } else {
            patches_.push_back({event_.type, type});
        }
    }
    hide_models();
    add_members(patches_, event_.place, added_);
    write_event(out, name, data, patches_);
}

void tracker::hide_models() {
    const auto hide = [&](std::string_view name) {
        if (name != model_) patches_.push_back({name, model_});
    };
    for_each_value(event_.message.value, "model", event_.message.model, hide);
    for_each_value(event_.data, "model", event_.model, hide);
}

/// The index of the event's block; one that has none gets `missing`, since clients' SDKs fail without it.
std::int64_t tracker::give_index(std::int64_t missing) {
    if (event_.index) return *event_.index;
    index_ = std::to_string(missing);
    if (event_.index_value.empty()) {
        added_.append(R"("index":)").append(index_) += ',';
    } else {
        patches_.push_back({event_.index_value, index_});
    }
    return missing;
}

/// Whether the client would be left with a call whose input is no JSON.
bool tracker::half_a_call() const {
    return half_call_ || std::any_of(open_blocks_.begin(), open_blocks_.end(), [](const open_block& block) {
               return !block.input.whole();
           });
}

void tracker::give_start(std::string& out) {
    if (!std::exchange(started_, true)) write_message_start(out, "msg_" + options_.fallback_id, options_.public_model);
}

void tracker::stop_open_blocks(std::string& out) {
    if (!open_blocks_.empty()) note(anomaly::missing_content_block_stop);
    for (const open_block& block : open_blocks_) write_block_stop(out, block.index);
    open_blocks_.clear();
}

tracker::open_block* tracker::open_block_of(std::int64_t index) {
    const auto found = std::find_if(open_blocks_.begin(), open_blocks_.end(),
                                    [&](const open_block& block) { return block.index == index; });
    return found == open_blocks_.end() ? nullptr : &*found;
}

bool tracker::is_whole(std::string_view data) const {
    return json::trim(data) == chat_end_marker || json::is_json(data);
}

std::optional<base::failure_report> tracker::on_answer(std::string_view body, std::string& out) {
    const answer_verdict verdict = check_answer(body, model_);
    if (const auto* report = std::get_if<base::failure_report>(&verdict)) {
        fail(*report);
        return failed();
    }
    note(anomaly::non_stream_answer);
    sse::event e;
    e.has_data = true;
    for (const std::string& data : answer_events(json::trim(body))) {
        e.data = data;
        on_event(e, out);
        if (failed()) return failed();
    }
    on_message_stop({});
    return std::nullopt;
}

std::optional<base::failure_report> tracker::on_end(bool clean) {
    if (failed()) return failed();
    if (complete()) {
        settle(clean);
        return std::nullopt;
    }
    return truncate();
}

void tracker::settle(bool clean) {
    if (std::exchange(settled_, true)) return;
    if (!ended_) note(anomaly::missing_message_stop);
    if (!clean) note(anomaly::unclean_close);
    if (!finished_) note(anomaly::missing_finish_reason);
    if (!committed_) note(anomaly::empty_output);
}

void tracker::close(std::string& out, std::string_view unified_routing) {
    settle(true);
    give_start(out);
    stop_open_blocks(out);
    if (!std::exchange(finished_, true)) {
        write_message_delta(out, tool_use_ ? "tool_use" : "end_turn", counts_.output.value_or(0));
    }
    if (stop_data_.empty()) {
        write_message_stop(out);
    } else {
        patches_.clear();
        write_event(out, name_of(event_kind::message_stop), stop_data_, patches_);
    }
    if (!unified_routing.empty()) write_routing_metadata(out, unified_routing);
}

} // namespace turnout::codec::messages
