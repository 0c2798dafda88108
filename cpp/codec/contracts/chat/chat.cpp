#include "codec/contracts/chat/chat.hpp"

#include <utility>

#include "codec/contracts/chat/answer.hpp"
#include "codec/contracts/chat/request.hpp"
#include "codec/contracts/chat/tracker.hpp"
#include "codec/contracts/openai_error.hpp"

namespace turnout::codec::chat {
namespace {

class chat_contract final : public contract {
public:
    std::string_view name() const override { return "chat"; }

    std::variant<contract_request, request_problem> parse_request(std::string_view body) const override {
        return chat::parse_request(body);
    }

    base::edit_list upstream_edits(const contract_request& r, std::string_view upstream_model,
                                   bool ask_usage) const override {
        return chat::upstream_edits(r, upstream_model, ask_usage);
    }

    answer_verdict check_answer(std::string_view body, std::string_view public_model) const override {
        return chat::check_answer(body, public_model);
    }

    std::unique_ptr<stream_tracker> make_tracker(tracker_options o) const override {
        return std::make_unique<tracker>(std::move(o));
    }

    void write_error(std::string& out, const public_error& e, std::string_view /*request_id*/) const override {
        write_openai_error(out, e);
    }

    void write_error_event(std::string& out, const public_error& e, std::string_view /*request_id*/,
                           std::int64_t /*sequence*/) const override {
        out += "data: ";
        write_openai_error(out, e);
        out += "\n\n";
    }
};

} // namespace

const contract& instance() {
    static const chat_contract contract;
    return contract;
}

} // namespace turnout::codec::chat
