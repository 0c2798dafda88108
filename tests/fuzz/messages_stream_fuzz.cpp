// A stream of messages gives its client the same bytes however the upstream's bytes are split, and one that is complete
// gives what a client may see; so does a JSON answer that came instead.
//
// The first byte chooses: odd, the rest is a JSON answer; even, a stream, and the second byte is the size of the pieces.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "codec/contracts/messages/messages.hpp"
#include "codec/json_scan.hpp"
#include "codec/json_string.hpp"
#include "input.hpp"
#include "json_text.hpp"
#include "naive_sse.hpp"
#include "require.hpp"
#include "stream_reading.hpp"

namespace turnout::fuzz {
namespace {

constexpr std::string_view public_model = "claude";

bool is_object_with(const nlohmann::json& value, const char* member, nlohmann::json::value_t type) {
    return value.is_object() && value.contains(member) && value[member].type() == type;
}

/// What a client must find in the events, in their order.
class client {
public:
    void take(const naive_event& event) {
        require(event.has_data && codec::json::is_json(event.data), "every event has JSON for data");
        require(!stopped_, "nothing follows the stop");
        const nlohmann::json data = parse(event.data);
        if (!data.is_object()) return; // a number that no double is
        const std::string type = is_object_with(data, "type", nlohmann::json::value_t::string) ? data["type"] : "";
        if (type == "message_start") {
            require(!started_, "a message starts once");
            started_ = true;
            check_start(data);
        } else if (type == "content_block_start" || type == "content_block_stop") {
            open_[index_of(data)] = type == "content_block_start";
        } else if (type == "message_delta") {
            require(is_object_with(data, "usage", nlohmann::json::value_t::object), "a message delta has usage");
            finished_ = finished_ || (data.contains("delta") && has_stop_reason(data["delta"]));
        } else if (type == "message_stop") {
            stopped_ = true;
        } else {
            return;
        }
        require(event.name == type, "an event has the name of its type");
        require(type == "message_start" || started_, "nothing of a message comes before its start");
    }

    void end() const {
        require(stopped_, "a whole stream ends with the stop");
        require(finished_, "a whole message has a stop reason");
        for (const auto& [index, open] : open_) require(!open, "every block is stopped");
    }

private:
    /// Whatever is no index stands for the first.
    static std::int64_t index_of(const nlohmann::json& data) {
        if (!data.contains("index") || !data["index"].is_number_integer()) return 0;
        const nlohmann::json& index = data["index"];
        const bool too_large = index.is_number_unsigned() && index.get<std::uint64_t>() > INT64_MAX;
        return too_large ? 0 : index.get<std::int64_t>();
    }

    static bool has_stop_reason(const nlohmann::json& delta) {
        return is_object_with(delta, "stop_reason", nlohmann::json::value_t::string) && delta["stop_reason"] != "";
    }

    static void check_start(const nlohmann::json& data) {
        require(is_object_with(data, "message", nlohmann::json::value_t::object), "a start holds a message");
        const nlohmann::json& message = data["message"];
        require(is_object_with(message, "content", nlohmann::json::value_t::array), "a start has content");
        require(is_object_with(message, "usage", nlohmann::json::value_t::object), "a start has usage");
        if (!is_object_with(message, "model", nlohmann::json::value_t::string)) return;
        require(message["model"] == "" || message["model"] == public_model, "a client sees the public model");
    }

    std::map<std::int64_t, bool> open_; ///< by the block's index
    bool started_ = false;
    bool finished_ = false;
    bool stopped_ = false;
};

void check_messages_stream(std::string_view out, const codec::tracker_options& options) {
    client reader;
    for (const naive_event& event : read_naively(out)) reader.take(event);
    reader.end();
    const stream_reading again = read_stream(codec::messages::instance(), out, out.size(), options);
    require(again.complete, "a whole stream is one for the next gateway too");
    require(again.out == out, "relaying once more changes nothing");
}

void check_answer(std::string_view body, const codec::tracker_options& options) {
    const auto tracker = codec::messages::instance().make_tracker(options);
    std::string out;
    const bool refused = tracker->on_answer(body, out).has_value();
    const std::string model = codec::json::to_json_string(public_model); // the verdict's edits view it
    const auto verdict = codec::messages::instance().check_answer(body, model);
    require(std::holds_alternative<codec::accepted_answer>(verdict) != refused,
            "an answer is one as JSON and as a stream");
    if (refused) return;
    tracker->close(out, {});
    check_messages_stream(out, options);
}

} // namespace
} // namespace turnout::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace turnout::fuzz;
    input given(data, size);
    const turnout::codec::tracker_options options = tracking(public_model, 1, true);
    if (given.byte() % 2 == 1) {
        check_answer(given.rest(), options);
        return 0;
    }
    const std::size_t piece = std::size_t{1} + given.byte();
    const stream_reading whole =
        read_stream_in_all_ways(turnout::codec::messages::instance(), given.rest(), piece, options);
    if (whole.complete) check_messages_stream(whole.out, options);
    return 0;
}
