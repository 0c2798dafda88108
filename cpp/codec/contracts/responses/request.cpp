#include "codec/contracts/responses/request.hpp"

#include <memory>
#include <string>

#include "codec/contracts/responses/reader.hpp"

namespace turnout::codec::responses {

void reader::read_member(const json::string_token& name) {
    if (name.equals("input")) {
        if (once(seen_input_, "input")) read_input();
    } else if (name.equals("background")) {
        if (once(seen_background_, "background")) read_background();
    } else if (name.equals("previous_response_id")) {
        if (once(seen_previous_, "previous_response_id")) read_previous();
    } else if (name.equals("conversation") || name.equals("prompt")) {
        read_unsupported(name.decode());
    } else {
        scan().skip();
    }
}

void reader::read_input() {
    const json::kind kind = scan().peek();
    std::string_view value;
    if (!scan().skip(value)) return;
    input_ = {scan().offset_of(value), value.size()};
    if (kind != json::kind::string && kind != json::kind::array)
        refuse("invalid_type", "input", "'input' must be a string or an array.");
}

void reader::read_background() {
    if (!read_switch("background")) return;
    refuse("unsupported_parameter", "background",
           "'background' is not supported: an answer is waited for. Leave it out or make it false.");
}

void reader::read_previous() {
    const json::kind kind = scan().peek();
    std::string_view value;
    if (!scan().skip(value) || kind == json::kind::null) return;
    if (kind != json::kind::string) {
        refuse("invalid_type", "previous_response_id", "'previous_response_id' must be a string or null.");
        return;
    }
    const std::string_view raw = value.substr(1, value.size() - 2);
    request().previous =
        std::make_unique<earlier_id>(earlier_id{.shown = json::string_token{raw, raw.find('\\') != raw.npos}.decode(),
                                                .offset = scan().offset_of(value),
                                                .length = value.size(),
                                                .upstream = {},
                                                .upstream_text = {}});
}

/// What a provider keeps for an account means nothing to the deployments that have another.
void reader::read_unsupported(const std::string& name) {
    const json::kind kind = scan().peek();
    if (!scan().skip() || kind == json::kind::null) return;
    refuse("unsupported_parameter", name,
           "'" + name + "' is not supported. Leave it out and send what it stands for in 'input'.");
}

std::variant<contract_request, request_problem> parse_request(std::string_view body) { return reader(body).read(); }

} // namespace turnout::codec::responses
