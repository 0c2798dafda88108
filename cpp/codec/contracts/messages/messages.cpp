#include "codec/contracts/messages/messages.hpp"

#include <utility>

#include "codec/contracts/anthropic_error.hpp"
#include "codec/contracts/messages/answer.hpp"
#include "codec/contracts/messages/request.hpp"
#include "codec/contracts/messages/tracker.hpp"

namespace turnout::codec::messages {
namespace {

class messages_contract : public contract {
public:
    std::string_view name() const override { return "messages"; }

    std::variant<contract_request, request_problem> parse_request(std::string_view body) const override {
        return messages::parse_request(body);
    }

    answer_verdict check_answer(std::string_view body, std::string_view public_model) const override {
        return messages::check_answer(body, public_model);
    }

    std::unique_ptr<stream_tracker> make_tracker(tracker_options o) const override {
        return std::make_unique<tracker>(std::move(o));
    }

    void write_error(std::string& out, const public_error& e, std::string_view request_id) const override {
        write_anthropic_error(out, e, request_id);
    }

    void write_error_event(std::string& out, const public_error& e, std::string_view request_id,
                           std::int64_t /*sequence*/) const override {
        out += "event: error\ndata: ";
        write_anthropic_error(out, e, request_id);
        out += "\n\n";
    }
};

class count_tokens_contract final : public messages_contract {
public:
    std::string_view name() const override { return "count_tokens"; }

    std::variant<contract_request, request_problem> parse_request(std::string_view body) const override {
        return parse_count_request(body);
    }

    answer_verdict check_answer(std::string_view body, std::string_view /*public_model*/) const override {
        return check_count(body);
    }

    /// A count is that number and no more.
    void insert_metadata(std::string_view /*body*/, base::edit_list& /*edits*/,
                         std::string_view /*unified_routing_json*/) const override {}
};

} // namespace

const contract& instance() {
    static const messages_contract contract;
    return contract;
}

const contract& count_tokens_instance() {
    static const count_tokens_contract contract;
    return contract;
}

} // namespace turnout::codec::messages
