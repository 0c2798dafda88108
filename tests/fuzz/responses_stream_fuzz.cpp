// A Responses stream gives its client the same bytes however the upstream's bytes are split, and one that is complete
// gives what a client may see; so does a JSON answer to a request for a stream.
//
// The first byte chooses: bit 0 whether the rest is a JSON answer; the second is the size of the pieces. The rest is what
// the upstream sends.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "codec/contracts/responses/responses.hpp"
#include "codec/json_scan.hpp"
#include "codec/json_string.hpp"
#include "input.hpp"
#include "json_text.hpp"
#include "naive_sse.hpp"
#include "require.hpp"
#include "stream_reading.hpp"

namespace {

using namespace turnout;
using namespace turnout::codec;
using fuzz::require;

constexpr std::string_view public_model = "gpt";

tracker_options tracking() { return fuzz::tracking(public_model, 1, true); }

void check_event(const fuzz::naive_event& e, bool first) {
    require(json::is_json(e.data), "every payload is JSON");
    const nlohmann::json data = fuzz::parse(e.data);
    if (!data.is_object()) return; // a number that no double is
    require(data.value("type", nlohmann::json()) == e.name, "an event is named as its payload says");
    require(!first || e.name == "response.created", "a stream begins with the response");
    const nlohmann::json response = data.value("response", nlohmann::json());
    if (!response.is_object()) return;
    const nlohmann::json model = response.value("model", nlohmann::json());
    require(!model.is_string() || model == "" || model == public_model, "a client sees the public model");
}

void check_client_stream(std::string_view out) {
    const std::vector<fuzz::naive_event> events = fuzz::read_naively(out);
    require(events.size() > 1, "a stream begins and ends");
    for (std::size_t i = 0; i < events.size(); ++i) check_event(events[i], i == 0);
    require(events.back().name == "response.completed" || events.back().name == "response.incomplete",
            "a whole stream ends with a terminal event");
    const fuzz::stream_reading again = fuzz::read_stream(responses::instance(), out, out.size(), tracking());
    require(again.complete, "a whole stream is one for the next gateway too");
    require(again.out == out, "relaying once more changes nothing");
}

void check_answer(std::string_view body) {
    const std::string quoted_model = json::to_json_string(public_model); // the edits view it
    const auto verdict = responses::instance().check_answer(body, quoted_model);
    const auto tracker = responses::instance().make_tracker(tracking());
    std::string stream;
    const auto refused = tracker->on_answer(body, stream);
    require(std::holds_alternative<accepted_answer>(verdict) != refused.has_value(),
            "an answer is one as JSON and as a stream");
    if (refused) return;
    tracker->close(stream, R"({"attempts":1})");
    require(stream.ends_with(",\"unified_routing\":{\"attempts\":1}}}\n\n"), "the terminal event has the metadata");
    check_client_stream(stream);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input given(data, size);
    const bool answer = (given.byte() & 1U) != 0;
    const std::size_t piece = std::size_t{1} + given.byte();
    const std::string_view bytes = given.rest();
    if (answer) {
        check_answer(bytes);
        return 0;
    }
    const fuzz::stream_reading whole = fuzz::read_stream_in_all_ways(responses::instance(), bytes, piece, tracking());
    if (whole.complete) check_client_stream(whole.out);
    return 0;
}
