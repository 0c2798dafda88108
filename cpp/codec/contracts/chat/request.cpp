#include "codec/contracts/chat/request.hpp"

#include <cstdint>
#include <optional>

#include "codec/contracts/request_reader.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::chat {
namespace {

constexpr std::int64_t most_choices = 128;

class chat_reader final : public request_reader {
public:
    using request_reader::request_reader;

private:
    void read_member(const json::string_token& name) override {
        if (name.equals("messages")) {
            if (once(seen_messages_, "messages")) read_array("messages");
        } else if (name.equals("n")) {
            if (once(seen_n_, "n")) read_n();
        } else if (name.equals("stream_options")) {
            if (once(seen_options_, "stream_options")) read_options();
        } else {
            scan().skip();
        }
    }

    void check_presence() override {
        require(seen_messages_, "messages");
        if (request().stream && !request().include_usage) request().edits.push_back(usage_edit());
    }

    void read_n() {
        const json::kind kind = scan().peek();
        std::string_view text;
        if (!scan().skip(text) || kind == json::kind::null) return;
        const std::optional<std::int64_t> value =
            kind == json::kind::number ? json::to_integer(text) : std::optional<std::int64_t>{};
        if (value && *value >= 1 && *value <= most_choices) {
            request().n = static_cast<unsigned>(*value);
        } else {
            refuse(kind == json::kind::number ? "invalid_value" : "invalid_type", "n",
                   "'n' must be an integer from 1 to 128 or null.");
        }
    }

    void read_options() {
        const json::kind kind = scan().peek();
        if (kind != json::kind::object) {
            std::string_view text;
            if (!scan().skip(text)) return;
            options_value_ = byte_range{scan().offset_of(text), text.size()};
            if (kind != json::kind::null) {
                refuse("invalid_type", "stream_options", "'stream_options' must be an object or null.");
            }
            return;
        }
        scan().begin_object();
        after_options_brace_ = scan().offset();
        json::string_token name;
        while (scan().next_member(name)) {
            options_empty_ = false;
            if (!name.equals("include_usage")) {
                scan().skip();
            } else if (once(seen_include_usage_, "stream_options.include_usage")) {
                request().include_usage = read_switch("stream_options.include_usage");
                include_usage_value_ = last_value();
            }
        }
    }

    base::edit usage_edit() const {
        if (!seen_options_) return {after_brace(), 0, R"("stream_options":{"include_usage":true},)"};
        if (options_value_) return {options_value_->offset, options_value_->length, R"({"include_usage":true})"};
        if (include_usage_value_) return {include_usage_value_->offset, include_usage_value_->length, "true"};
        return {after_options_brace_, 0, options_empty_ ? R"("include_usage":true)" : R"("include_usage":true,)"};
    }

    std::optional<byte_range> options_value_; ///< of a `stream_options` that is no object
    std::optional<byte_range> include_usage_value_;
    std::size_t after_options_brace_ = 0;
    bool options_empty_ = true;
    bool seen_messages_ = false;
    bool seen_n_ = false;
    bool seen_options_ = false;
    bool seen_include_usage_ = false;
};

} // namespace

std::variant<contract_request, request_problem> parse_request(std::string_view body) {
    return chat_reader(body).read();
}

base::edit_list upstream_edits(const contract_request& r, std::string_view upstream_model, bool ask_usage) {
    base::edit_list edits;
    add_model_edit(edits, r, upstream_model);
    if (ask_usage) {
        for (const base::edit& e : r.edits) insert_sorted(edits, e);
    }
    return edits;
}

} // namespace turnout::codec::chat
