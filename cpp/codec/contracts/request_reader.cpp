#include "codec/contracts/request_reader.hpp"

#include <utility>

namespace turnout::codec {

std::variant<contract_request, request_problem> request_reader::read() {
    if (json::trim(body_).empty()) {
        return request_problem{400, "invalid_json", "", "The body is empty; a JSON object is expected."};
    }
    if (scan_.peek() == json::kind::object && scan_.begin_object()) {
        after_brace_ = scan_.offset();
        json::string_token name;
        while (scan_.next_member(name)) read_common(name);
    } else if (scan_.skip()) {
        refuse("invalid_type", "", "The body must be a JSON object.");
    }
    if (!scan_.finish()) return not_json();
    check_kind();
    require(seen_model_, "model");
    check_presence();
    if (problem_) return *std::move(problem_);
    return std::move(request_);
}

void request_reader::read_common(const json::string_token& name) {
    if (name.equals("model")) {
        if (once(seen_model_, "model")) read_model();
    } else if (name.equals("stream")) {
        if (once(seen_stream_, "stream")) read_stream();
    } else {
        read_member(name);
    }
}

void request_reader::read_model() {
    json::string_token value;
    if (scan_.peek() != json::kind::string) {
        scan_.skip();
        refuse("invalid_type", "model", "'model' must be a string.");
    } else if (scan_.read_string(value)) {
        request_.model_offset = scan_.offset_of(value.raw) - 1;
        request_.model_length = value.raw.size() + 2;
        request_.model = value.decode();
        if (value.empty()) refuse("invalid_value", "model", "'model' must not be empty.");
    }
}

void request_reader::read_array(std::string_view param) {
    if (scan_.peek() != json::kind::array) {
        refuse("invalid_type", param, "'" + std::string(param) + "' must be an array.");
    }
    scan_.skip();
}

bool request_reader::read_switch(std::string_view param) {
    const json::kind kind = scan_.peek();
    std::string_view text;
    if (!scan_.skip(text)) return false;
    last_value_ = byte_range{scan_.offset_of(text), text.size()};
    if (kind == json::kind::boolean) return text == "true";
    if (kind != json::kind::null) refuse("invalid_type", param, "'" + std::string(param) + "' must be a boolean.");
    return false;
}

bool request_reader::once(bool& seen, std::string_view param) {
    if (!std::exchange(seen, true)) return true;
    scan_.skip();
    refuse("duplicate_member", param, "'" + std::string(param) + "' appears more than once.");
    return false;
}

void request_reader::require(bool seen, std::string_view param) {
    if (!seen) refuse("missing_required_parameter", param, "'" + std::string(param) + "' is required.");
}

void request_reader::refuse(std::string_view code, std::string_view param, std::string message) {
    if (!problem_) problem_ = request_problem{400, std::string(code), std::string(param), std::move(message)};
}

request_problem request_reader::not_json() const {
    switch (scan_.problem()) {
    case json::fault::depth:
        return {400, "invalid_json", "",
                "The body is nested deeper than " + std::to_string(json::max_request_depth) + " levels."};
    case json::fault::utf8: return {400, "invalid_json", "", "The body is not valid UTF-8."};
    case json::fault::syntax:
    case json::fault::none: break;
    }
    return {400, "invalid_json", "", "The body is not valid JSON (byte " + std::to_string(scan_.offset()) + ")."};
}

void add_model_edit(base::edit_list& edits, const contract_request& r, std::string_view upstream_model) {
    const std::string_view name = upstream_model.substr(1, upstream_model.size() - 2);
    if (json::string_token{name, name.find('\\') != name.npos}.equals(r.model)) return;
    edits.push_back({r.model_offset, r.model_length, upstream_model});
}

} // namespace turnout::codec
