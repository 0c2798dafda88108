#include "codec/contracts/responses/responses.hpp"

#include <utility>

#include "codec/contracts/openai_error.hpp"
#include "codec/contracts/responses/answer.hpp"
#include "codec/contracts/responses/request.hpp"
#include "codec/contracts/responses/tracker.hpp"
#include "codec/edits.hpp"
#include "codec/json_string.hpp"

namespace turnout::codec::responses {
namespace {

/// Clients look the code up as a string and repeat what has none.
std::string code_of(const public_error& e) {
    if (!e.code.empty()) return e.code;
    return e.type.empty() ? "server_error" : e.type;
}

class responses_contract : public contract {
public:
    std::string_view name() const override { return "responses"; }

    std::variant<contract_request, request_problem> parse_request(std::string_view body) const override {
        return responses::parse_request(body);
    }

    base::edit_list upstream_edits(const contract_request& r, std::string_view upstream_model,
                                   bool ask_usage) const override {
        base::edit_list edits = contract::upstream_edits(r, upstream_model, ask_usage);
        if (r.previous) insert_sorted(edits, {r.previous->offset, r.previous->length, r.previous->upstream_text});
        return edits;
    }

    answer_verdict check_answer(std::string_view body, std::string_view public_model) const override {
        return responses::check_answer(body, public_model);
    }

    std::unique_ptr<stream_tracker> make_tracker(tracker_options o) const override {
        return std::make_unique<tracker>(std::move(o));
    }

    void write_error(std::string& out, const public_error& e, std::string_view /*request_id*/) const override {
        write_openai_error(out, e);
    }

    /// Flat as it is documented, and nested as OpenAI sends it: official clients raise only on the nested one.
    void write_error_event(std::string& out, const public_error& e, std::string_view /*request_id*/,
                           std::int64_t sequence) const override {
        public_error coded = e;
        coded.code = code_of(e);
        out += "event: error\ndata: {\"type\":\"error\",\"sequence_number\":";
        out += std::to_string(sequence);
        out += R"(,"code":)";
        json::write_json_string(out, coded.code);
        out += R"(,"message":)";
        json::write_json_string(out, coded.message);
        out += R"(,"param":)";
        if (coded.param.empty()) {
            out += "null";
        } else {
            json::write_json_string(out, coded.param);
        }
        out += R"(,"error":{)";
        write_openai_error_members(out, coded);
        out += "}}\n\n";
    }
};

class stored_contract final : public responses_contract {
public:
    /// Nothing is read of one.
    std::variant<contract_request, request_problem> parse_request(std::string_view /*body*/) const override {
        return contract_request{};
    }

    base::edit_list upstream_edits(const contract_request& /*r*/, std::string_view /*upstream_model*/,
                                   bool /*ask_usage*/) const override {
        return {};
    }

    answer_verdict check_answer(std::string_view body, std::string_view public_model) const override {
        return check_stored(body, public_model);
    }
};

} // namespace

const contract& instance() {
    static const responses_contract contract;
    return contract;
}

const contract& stored_instance() {
    static const stored_contract contract;
    return contract;
}

} // namespace turnout::codec::responses
