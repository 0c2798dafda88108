// An accepted answer is relayed with the public model and the gateway's metadata and is otherwise what it was, as JSON
// and as a stream; and whatever an error body holds, the error that is made of it is JSON.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "codec/contracts/chat/chat.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"
#include "codec/json_string.hpp"
#include "json_text.hpp"
#include "require.hpp"
#include "stream_reading.hpp"

namespace {

using namespace turnout;
using namespace turnout::codec;
using fuzz::require;

constexpr std::string_view public_model = "public \"model\"";

bool is_text(const nlohmann::json& object, const char* name) {
    return object.contains(name) && object[name].is_string() && !object[name].get<std::string>().empty();
}

void check_json(std::string_view body, const accepted_answer& accepted) {
    base::edit_list edits = accepted.edits;
    chat::instance().insert_metadata(body, edits, R"({"attempts":1})");
    std::string out;
    apply(body, edits, out, accepted.begin, accepted.end);
    require(json::is_json(out) && json::trim(out) == out, "what is relayed is JSON and nothing else");
    const auto verdict = chat::instance().check_answer(out, json::to_json_string(public_model));
    const auto* const again = std::get_if<accepted_answer>(&verdict);
    require(again != nullptr && again->edits.empty(), "what is relayed is an answer that needs no change");

    nlohmann::json wanted = fuzz::parse(body);
    if (wanted.is_discarded()) return; // a number that no double is
    wanted["unified_routing"] = {{"attempts", 1}};
    if (is_text(wanted, "model")) wanted["model"] = public_model;
    require(wanted == fuzz::parse(out), "nothing else is changed");
}

void check_error(std::string_view body) {
    base::failure_report report;
    read_error_body(body, report);
    std::string out;
    chat::instance().write_error(out, {500, report.type, report.code, report.param, report.message}, "r");
    require(json::is_json(out), "an error that is shown is JSON");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    check_error(body);

    const std::string quoted_model = json::to_json_string(public_model); // the edits view it
    const auto verdict = chat::instance().check_answer(body, quoted_model);
    const auto* const accepted = std::get_if<accepted_answer>(&verdict);
    const auto tracker = chat::instance().make_tracker(fuzz::tracking(public_model, 1, true));
    std::string stream;
    const auto refused = tracker->on_answer(body, stream);
    require((accepted == nullptr) == refused.has_value(), "an answer is one as JSON and as a stream");
    if (accepted == nullptr) return 0;
    check_json(body, *accepted);
    tracker->close(stream, {});
    fuzz::check_chat_stream(stream, public_model, 1, true);
    return 0;
}
