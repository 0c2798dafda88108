#include "codec/contracts/responses/tracker.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "codec/contracts/provider_error.hpp"
#include "codec/contracts/responses/answer.hpp"
#include "codec/contracts/responses/answer_events.hpp"
#include "codec/contracts/responses/object_text.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::responses {
namespace {

/// OpenAI sends none; some compatible servers do.
constexpr std::string_view end_marker = "[DONE]";

constexpr std::string_view incomplete = "response.incomplete";

/// Beyond it a number is none that a client's double could hold; ours count on from below.
constexpr std::int64_t last_sequence = std::int64_t{1} << 53U;

std::string own_response(const tracker_options& options, std::string_view model) {
    return R"({"id":)" + json::to_json_string("resp_" + options.fallback_id) + R"(,"object":"response","created_at":)"
           + std::to_string(options.fallback_created)
           + R"(,"status":"in_progress","error":null,"incomplete_details":null,"model":)" + std::string(model)
           + R"(,"output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":null,"metadata":{}})";
}

} // namespace

tracker::tracker(tracker_options options)
    : options_(std::move(options)),
      model_(json::to_json_string(options_.public_model)),
      repetition_(options_.use_repetition),
      ids_(options_.ids) {}

frame_class tracker::on_event(const sse::event& e, std::string& out) {
    if (failed()) return frame_class::error;
    if (done_) return frame_class::end;
    const std::string_view data = json::trim(e.data);
    if (repetition_.matches(e.name, data)) {
        repeat(out);
        return frame_class::commits;
    }
    repetition_.forget();
    if (data.empty() && e.name != "error") return frame_class::metadata;
    if (data == end_marker) return end_with_items();
    if (data.starts_with(':')) {
        note(anomaly::malformed_keepalive);
        return frame_class::metadata;
    }
    if (!read_event(data, facts_, &response_)) return e.name == "error" ? on_error(data) : on_unreadable(data);
    patches_.clear();
    ids_.forget_some();
    const std::optional<std::string_view> type = type_of(e.name);
    if (type && kind_of(*type) == event_kind::failed)
        return fail(failed_response(base::failure_origin::error_event, facts_.response));
    if (e.name == "error") return on_error(data);
    if (!type) return facts_.error ? on_error(data) : on_unreadable(data);
    return on_typed_event(e.name, *type, data, out);
}

/// Nothing if the event has none, not even by its name, or one that cannot be written.
std::optional<std::string_view> tracker::type_of(std::string_view name) {
    if (facts_.type_value.empty()) {
        if (!is_event_name(name)) return std::nullopt;
        type_text_ = name;
        type_member_ = R"("type":")" + type_text_ + (facts_.empty ? "\"" : "\",");
        patches_.push_back({facts_.start, type_member_});
        return type_text_;
    }
    if (facts_.type.escaped) {
        type_text_ = facts_.type.decode();
        return is_event_name(type_text_) ? std::optional<std::string_view>(type_text_) : std::nullopt;
    }
    return is_event_name(facts_.type.raw) ? std::optional(facts_.type.raw) : std::nullopt;
}

frame_class tracker::on_typed_event(std::string_view name, std::string_view type, std::string_view data,
                                    std::string& out) {
    const event_kind kind = kind_of(type);
    switch (kind) {
    case event_kind::error: return on_error(data);
    case event_kind::failed: return fail(failed_response(base::failure_origin::error_event, facts_.response));
    case event_kind::cancelled: return fail(cancelled_response(base::failure_origin::error_event, facts_.response));
    case event_kind::finished: return on_finished(type, data, out);
    case event_kind::keepalive: count(); return frame_class::metadata;
    case event_kind::started:
    case event_kind::running:
        remember_response();
        if (kind == event_kind::started) started_ = true;
        break;
    case event_kind::item_added: items_.open(facts_.output_index); break;
    case event_kind::item_done: items_.finish(facts_.output_index, facts_.item); break;
    case event_kind::other:
        if (facts_.error && !type.starts_with("response.")) return on_error(data);
        break;
    }
    const bool output = has_output(type, facts_);
    if (output && kind == event_kind::other) items_.saw_output();
    output_ = output_ || output;
    if (facts_.response.usage) usage_ = facts_.response.usage;
    if (kind == event_kind::other && !output && !started_) { // news of nothing that the client knows
        count();
        return frame_class::metadata;
    }
    const bool unchanged = patches_.empty();
    write_frame(type, data, out);
    if (unchanged && kind == event_kind::other && is_plain_delta())
        repetition_.keep(
            name, type, data, patches_,
            {facts_.sequence ? facts_.sequence_value : std::string_view(), facts_.delta_text, facts_.obfuscation});
    return output ? frame_class::commits : frame_class::metadata;
}

/// A piece of text that shows nothing else of its response or item.
bool tracker::is_plain_delta() const {
    return !facts_.delta_text.empty() && facts_.response.value.empty() && facts_.sequence.value_or(1) > 0;
}

void tracker::repeat(std::string& out) {
    repetition_.write(out);
    if (repetition_.number().empty()) {
        ++next_;
    } else {
        next_ = *json::to_integer(repetition_.number()) + 1;
    }
}

/// Clients read nothing before they were told of the response, and give up where something else comes first.
void tracker::write_frame(std::string_view type, std::string_view data, std::string& out) {
    if (!started_) write_created(out, facts_.response.value, number_before());
    count();
    rename(data);
    write_event(out, type, data, patches_);
}

void tracker::write_created(std::string& out, std::string_view response, std::int64_t number) {
    started_ = true;
    std::string data = R"({"type":"response.created","sequence_number":)" + std::to_string(number) + R"(,"response":)";
    data += response.empty() ? own_response(options_, model_) : public_response(begun_response(response));
    data += '}';
    std::vector<patch> none;
    write_event(out, "response.created", data, none);
}

/// Of an event before the one that was read.
std::int64_t tracker::number_before() const { return std::max<std::int64_t>(facts_.sequence.value_or(next_), 1) - 1; }

void tracker::remember_response() {
    if (facts_.response.value.size() > item_record::most_bytes / 2) {
        items_.lose();
    } else {
        response_.keep(facts_.response);
    }
}

/// The client sees the public model, and the ids that are its own.
void tracker::rename(std::string_view data) {
    for_each_renamed(facts_.response, [&](renamed what, std::string_view value) {
        if (const std::string_view name = shown(what, value); name != value) patches_.push_back({value, name});
    });
    for_each_value(data, "model", facts_.model, [&](std::string_view name) { patches_.push_back({name, model_}); });
    if (!facts_.response_id.empty()) patches_.push_back({facts_.response_id, ids_(facts_.response_id)});
}

std::string_view tracker::shown(renamed what, std::string_view value) {
    switch (what) {
    case renamed::model: return model_;
    case renamed::id: break;
    }
    return ids_(value);
}

/// A Response object of the upstream's as the client sees it.
std::string tracker::public_response(std::string_view response) {
    base::edit_list edits;
    json::scanner s(response);
    for_each_renamed(read_response(response, s), [&](renamed what, std::string_view value) {
        insert_sorted(edits,
                      {static_cast<std::size_t>(value.data() - response.data()), value.size(), shown(what, value)});
    });
    std::string out;
    apply(response, edits, out);
    return out;
}

void tracker::count() {
    if (facts_.sequence && *facts_.sequence >= 0 && *facts_.sequence < last_sequence) {
        next_ = *facts_.sequence + 1;
    } else {
        ++next_;
    }
}

frame_class tracker::on_finished(std::string_view type, std::string_view data, std::string& out) {
    const response_facts& response = facts_.response;
    switch (end_of(response)) {
    case response_end::failed: return fail(failed_response(base::failure_origin::error_event, response));
    case response_end::cancelled: return fail(cancelled_response(base::failure_origin::error_event, response));
    case response_end::unfinished: // the event's type says more
    case response_end::answered: break;
    }
    if (response.usage) usage_ = response.usage;
    output_ = output_ || response.output;
    if (type == incomplete) terminal_type_ = incomplete;
    if (response.value.empty()) return end_with_items();
    done_ = true;
    if (!started_) write_created(out, response.value, number_before());
    count();
    rename(data);
    hold_terminal(data);
    settle();
    return frame_class::end;
}

void tracker::hold_terminal(std::string_view data) {
    terminal_ = data;
    const auto rebased = [&](std::string_view part) {
        return std::string_view(terminal_).substr(static_cast<std::size_t>(part.data() - data.data()), part.size());
    };
    for (patch& p : patches_) p.part = rebased(p.part);
    metadata_place_ = rebased(facts_.response.value.substr(facts_.response.value.size() - 1, 0));
    terminal_response_empty_ = facts_.response.empty;
}

/// An end marker without a terminal event, or that without a response, leaves only what the items say.
frame_class tracker::end_with_items() {
    if (!items_.whole()) {
        truncate();
        return frame_class::error;
    }
    done_ = true;
    settle();
    return frame_class::end;
}

frame_class tracker::on_error(std::string_view data) {
    return fail(in_band_failure(base::failure_origin::error_event, data));
}

frame_class tracker::on_unreadable(std::string_view data) {
    base::failure_report report = in_band_failure(base::failure_origin::error_event, data);
    if (data.starts_with('[') && !report.message.empty())
        return fail(std::move(report)); // an array with an error in it
    return fail(malformed_body());
}

bool tracker::is_whole(std::string_view data) const { return json::trim(data) == end_marker || json::is_json(data); }

std::optional<base::failure_report> tracker::on_answer(std::string_view body, std::string& out) {
    answer_verdict verdict = check_answer(body, model_);
    if (const auto* report = std::get_if<base::failure_report>(&verdict)) {
        fail(*report);
        return failed();
    }
    auto& accepted = std::get<accepted_answer>(verdict);
    add_id_edits(body, accepted, ids_);
    std::string answer;
    apply(body, accepted.edits, answer, accepted.begin, accepted.end);
    note(anomaly::non_stream_answer);
    usage_ = accepted.usage;
    output_ = accepted.anomalies.empty();
    next_ = write_answer_events(out, answer);
    started_ = true;
    done_ = true;
    if (value_of(answer, "status") == R"("incomplete")") terminal_type_ = incomplete;
    if (!make_terminal(answer)) {
        fail(malformed_body());
        return failed();
    }
    settle();
    return std::nullopt;
}

/// False if the event is nested too deep to be read.
bool tracker::make_terminal(const std::string& response) {
    std::string data = R"({"type":")" + std::string(terminal_type_) + R"(","sequence_number":)" + std::to_string(next_)
                       + R"(,"response":)" + response + '}';
    patches_.clear();
    if (!read_event(data, facts_)) return false;
    count();
    hold_terminal(data);
    return true;
}

std::optional<base::failure_report> tracker::on_end(bool /*clean*/) {
    if (failed() || done_) return failed();
    return truncate();
}

void tracker::settle() {
    if (std::exchange(settled_, true)) return;
    if (terminal_.empty()) note(anomaly::missing_finish_reason);
    if (!output_) note(anomaly::empty_output);
}

void tracker::close(std::string& out, std::string_view unified_routing) {
    if (terminal_.empty()) {
        const std::string_view last = response_.text();
        if (!started_) write_created(out, last, next_++);
        const std::string response = last.empty() ? own_response(options_, model_) : public_response(last);
        const std::string_view status = terminal_type_ == incomplete ? R"("incomplete")" : R"("completed")";
        make_terminal(with_members(response, {{"status", status}, {"output", items_.list()}}));
    }
    std::string metadata;
    if (!unified_routing.empty()) {
        metadata = terminal_response_empty_ ? R"("unified_routing":)" : R"(,"unified_routing":)";
        metadata += unified_routing;
        patches_.push_back({metadata_place_, metadata});
    }
    write_event(out, terminal_type_, terminal_, patches_);
}

} // namespace turnout::codec::responses
