#include "codec/contracts/chat/request.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "codec/edits.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::chat {
namespace {

constexpr std::int64_t most_choices = 128;

struct byte_range {
    std::size_t offset = 0;
    std::size_t length = 0;
};

class request_reader {
public:
    explicit request_reader(std::string_view body) : body_(body), scan_(body) {}

    std::variant<contract_request, request_problem> read() {
        if (json::trim(body_).empty()) {
            return request_problem{400, "invalid_json", "", "The body is empty; a JSON object is expected."};
        }
        if (scan_.peek() == json::kind::object && scan_.begin_object()) {
            after_brace_ = scan_.offset();
            json::string_token name;
            while (scan_.next_member(name)) read_member(name);
        } else if (scan_.skip()) {
            refuse("invalid_type", "", "The body must be a JSON object.");
        }
        if (!scan_.finish()) return not_json();
        require(seen_model_, "model");
        require(seen_messages_, "messages");
        if (problem_) return *std::move(problem_);
        if (request_.stream && !request_.include_usage) request_.usage_edits.push_back(usage_edit());
        return std::move(request_);
    }

private:
    void read_member(const json::string_token& name) {
        if (name.equals("model")) {
            if (once(seen_model_, "model")) read_model();
        } else if (name.equals("messages")) {
            if (once(seen_messages_, "messages")) read_messages();
        } else if (name.equals("stream")) {
            if (once(seen_stream_, "stream")) request_.stream = read_switch("stream");
        } else if (name.equals("n")) {
            if (once(seen_n_, "n")) read_n();
        } else if (name.equals("stream_options")) {
            if (once(seen_options_, "stream_options")) read_options();
        } else {
            scan_.skip();
        }
    }

    void read_model() {
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

    void read_messages() {
        if (scan_.peek() != json::kind::array) refuse("invalid_type", "messages", "'messages' must be an array.");
        scan_.skip();
    }

    void read_n() {
        const json::kind kind = scan_.peek();
        std::string_view text;
        if (!scan_.skip(text) || kind == json::kind::null) return;
        const std::optional<std::int64_t> value =
            kind == json::kind::number ? json::to_integer(text) : std::optional<std::int64_t>{};
        if (value && *value >= 1 && *value <= most_choices) {
            request_.n = static_cast<unsigned>(*value);
        } else {
            refuse(kind == json::kind::number ? "invalid_value" : "invalid_type", "n",
                   "'n' must be an integer from 1 to 128 or null.");
        }
    }

    void read_options() {
        const json::kind kind = scan_.peek();
        if (kind != json::kind::object) {
            std::string_view text;
            if (!scan_.skip(text)) return;
            options_value_ = byte_range{scan_.offset_of(text), text.size()};
            if (kind != json::kind::null) {
                refuse("invalid_type", "stream_options", "'stream_options' must be an object or null.");
            }
            return;
        }
        scan_.begin_object();
        after_options_brace_ = scan_.offset();
        json::string_token name;
        while (scan_.next_member(name)) {
            options_empty_ = false;
            if (!name.equals("include_usage")) {
                scan_.skip();
            } else if (once(seen_include_usage_, "stream_options.include_usage")) {
                request_.include_usage = read_switch("stream_options.include_usage");
                include_usage_value_ = last_value_;
            }
        }
    }

    /// A boolean, where null means false.
    bool read_switch(std::string_view param) {
        const json::kind kind = scan_.peek();
        std::string_view text;
        if (!scan_.skip(text)) return false;
        last_value_ = byte_range{scan_.offset_of(text), text.size()};
        if (kind == json::kind::boolean) return text == "true";
        if (kind != json::kind::null) refuse("invalid_type", param, "'" + std::string(param) + "' must be a boolean.");
        return false;
    }

    base::edit usage_edit() const {
        if (!seen_options_) return {after_brace_, 0, R"("stream_options":{"include_usage":true},)"};
        if (options_value_) return {options_value_->offset, options_value_->length, R"({"include_usage":true})"};
        if (include_usage_value_) return {include_usage_value_->offset, include_usage_value_->length, "true"};
        return {after_options_brace_, 0, options_empty_ ? R"("include_usage":true)" : R"("include_usage":true,)"};
    }

    /// False, with a problem, when the member was there before: JSON leaves open which of two counts.
    bool once(bool& seen, std::string_view param) {
        if (!std::exchange(seen, true)) return true;
        scan_.skip();
        refuse("duplicate_member", param, "'" + std::string(param) + "' appears more than once.");
        return false;
    }

    void require(bool seen, std::string_view param) {
        if (!seen) refuse("missing_required_parameter", param, "'" + std::string(param) + "' is required.");
    }

    void refuse(std::string_view code, std::string_view param, std::string message) {
        if (!problem_) problem_ = request_problem{400, std::string(code), std::string(param), std::move(message)};
    }

    request_problem not_json() const {
        switch (scan_.problem()) {
        case json::fault::depth:
            return {400, "invalid_json", "",
                    "The body is nested deeper than " + std::to_string(json::max_depth) + " levels."};
        case json::fault::utf8: return {400, "invalid_json", "", "The body is not valid UTF-8."};
        case json::fault::syntax:
        case json::fault::none: break;
        }
        return {400, "invalid_json", "", "The body is not valid JSON (byte " + std::to_string(scan_.offset()) + ")."};
    }

    std::string_view body_;
    json::scanner scan_;
    contract_request request_;
    std::optional<request_problem> problem_; ///< the first
    byte_range last_value_;
    std::optional<byte_range> options_value_; ///< of a `stream_options` that is no object
    std::optional<byte_range> include_usage_value_;
    std::size_t after_brace_ = 0;
    std::size_t after_options_brace_ = 0;
    bool options_empty_ = true;
    bool seen_model_ = false;
    bool seen_messages_ = false;
    bool seen_stream_ = false;
    bool seen_n_ = false;
    bool seen_options_ = false;
    bool seen_include_usage_ = false;
};

} // namespace

std::variant<contract_request, request_problem> parse_request(std::string_view body) {
    return request_reader(body).read();
}

base::edit_list upstream_edits(const contract_request& r, std::string_view upstream_model, bool ask_usage) {
    base::edit_list edits;
    const std::string_view name = upstream_model.substr(1, upstream_model.size() - 2);
    if (!json::string_token{name, name.find('\\') != name.npos}.equals(r.model)) {
        edits.push_back({r.model_offset, r.model_length, upstream_model});
    }
    if (ask_usage) {
        for (const base::edit& e : r.usage_edits) insert_sorted(edits, e);
    }
    return edits;
}

} // namespace turnout::codec::chat
