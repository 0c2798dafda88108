#include "stream_reading.hpp"

#include <optional>
#include <vector>

#include "codec/contracts/chat/chat.hpp"
#include "codec/json_scan.hpp"
#include "codec/sse.hpp"
#include "input.hpp"
#include "json_text.hpp"
#include "naive_sse.hpp"
#include "require.hpp"

namespace turnout::fuzz {
namespace {

using namespace codec;

constexpr std::string_view end_marker = "[DONE]";

void tell(std::string& told, const base::failure_report& report) {
    told += " failed " + std::to_string(static_cast<int>(report.origin)) + ' ' + std::to_string(report.status);
    for (const std::string* part : {&report.code, &report.type, &report.param, &report.message}) told += '|' + *part;
}

/// One reading: a decoder and a tracker, as the gateway's driver joins them.
class attempt {
public:
    attempt(const contract& protocol, tracker_options options) : tracker_(protocol.make_tracker(std::move(options))) {}

    bool feed(std::string_view bytes) {
        decoder_.feed(bytes);
        while (const auto e = decoder_.next()) {
            if (!take(*e)) return false;
        }
        over_ = decoder_.error() != sse::decoder_error::none;
        return !over_;
    }

    stream_reading end() {
        if (!over_) {
            if (const auto last = decoder_.finish(); last && tracker_->is_whole(last->data)) take(*last);
        }
        if (!over_) {
            const auto failure = tracker_->on_end(true);
            is_.complete = !failure;
            if (failure) tell(is_.told, *failure);
        }
        if (is_.complete) tracker_->close(is_.out, {});
        for (const anomaly a : tracker_->anomalies()) is_.told.append(" ").append(to_string(a));
        if (const auto usage = tracker_->usage()) {
            is_.told += " usage " + std::to_string(usage->prompt) + '+' + std::to_string(usage->completion) + '='
                        + std::to_string(usage->total);
        }
        return std::move(is_);
    }

private:
    bool take(const sse::event& e) {
        const frame_class is = tracker_->on_event(e, is_.out);
        is_.told += static_cast<char>('0' + static_cast<int>(is));
        if (is == frame_class::error) tell(is_.told, tracker_->failure());
        is_.complete = is == frame_class::end;
        over_ = is == frame_class::error || is == frame_class::end;
        return !over_;
    }

    sse::decoder decoder_{std::size_t{1} << 16U};
    std::unique_ptr<stream_tracker> tracker_;
    stream_reading is_;
    bool over_ = false;
};

void check_payload(std::string_view data, std::string_view public_model, bool wants_usage) {
    require(json::is_json(data), "every payload is JSON");
    const nlohmann::json frame = parse(data);
    if (!frame.is_object()) return;
    const auto member = [&](const char* name) { return frame.value(name, nlohmann::json()); };
    const nlohmann::json model = member("model");
    require(!model.is_string() || model == "" || model == public_model, "a client sees the public model");
    require(wants_usage || member("usage").is_null(), "usage that was not asked for is not shown");
}

} // namespace

tracker_options tracking(std::string_view public_model, unsigned n, bool wants_usage) {
    tracker_options options;
    options.public_model = public_model;
    options.n = n;
    options.client_wants_usage = wants_usage;
    options.fallback_id = "own";
    options.fallback_created = 99;
    return options;
}

stream_reading read_stream(const contract& protocol, std::string_view bytes, std::size_t piece_size,
                           tracker_options options) {
    attempt reading(protocol, std::move(options));
    feed_in_pieces(bytes, piece_size, [&](std::string_view piece) { return reading.feed(piece); });
    return reading.end();
}

stream_reading read_stream_in_all_ways(const contract& protocol, std::string_view bytes, std::size_t piece_size,
                                       const tracker_options& options) {
    stream_reading whole = read_stream(protocol, bytes, bytes.size(), options);
    require(whole == read_stream(protocol, bytes, piece_size, options), "a stream means the same in pieces");
    require(whole == read_stream(protocol, bytes, 1, options), "a stream means the same byte by byte");
    tracker_options reading_all = options;
    reading_all.use_repetition = false;
    require(whole == read_stream(protocol, bytes, bytes.size(), reading_all), "repeated events mean what they meant");
    return whole;
}

void check_chat_stream(std::string_view out, std::string_view public_model, unsigned n, bool wants_usage) {
    const std::vector<naive_event> events = read_naively(out);
    require(!events.empty() && events.back().data == end_marker, "a whole stream ends with the end marker");
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
        require(events[i].name.empty() && events[i].has_data, "events have no name and have data");
        check_payload(events[i].data, public_model, wants_usage);
    }
    const stream_reading again = read_stream(chat::instance(), out, out.size(), tracking(public_model, n, wants_usage));
    require(again.complete, "a whole stream is one for the next gateway too");
    require(again.out == out, "relaying once more changes nothing");
}

} // namespace turnout::fuzz
