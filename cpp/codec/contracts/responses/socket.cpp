#include "codec/contracts/responses/socket.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codec/contracts/openai_error.hpp"
#include "codec/contracts/request_reader.hpp"
#include "codec/contracts/responses/responses.hpp"
#include "codec/contracts/responses/socket_request.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::responses {
namespace {

class socket_contract final : public contract {
public:
    std::string_view name() const override { return over_events_.name(); }

    std::variant<contract_request, request_problem> parse_request(std::string_view body) const override {
        auto read = read_socket_request(body);
        if (auto* problem = std::get_if<request_problem>(&read)) return std::move(*problem);
        return std::move(std::get<socket_request>(read).request);
    }

    base::edit_list upstream_edits(const contract_request& r, std::string_view upstream_model,
                                   bool ask_usage) const override {
        base::edit_list edits = over_events_.upstream_edits(r, upstream_model, ask_usage);
        for (const base::edit& e : r.edits) insert_sorted(edits, e);
        return edits;
    }

    answer_verdict check_answer(std::string_view body, std::string_view public_model) const override {
        return over_events_.check_answer(body, public_model);
    }

    std::unique_ptr<stream_tracker> make_tracker(tracker_options o) const override {
        return over_events_.make_tracker(std::move(o));
    }

    void write_error(std::string& out, const public_error& e, std::string_view /*request_id*/) const override {
        out += R"({"type":"error","status":)" + std::to_string(e.status) + R"(,"error":{)";
        write_openai_error_members(out, e);
        out += "}}";
    }

    void write_error_event(std::string& out, const public_error& e, std::string_view request_id,
                           std::int64_t /*sequence*/) const override {
        out += "data: ";
        write_error(out, e, request_id);
        out += "\n\n";
    }

private:
    const contract& over_events_ = instance();
};

} // namespace

base::edit_list message_edits(const contract_request& r, std::string_view upstream_model) {
    base::edit_list edits = socket_instance().upstream_edits(r, upstream_model, false);
    const auto added =
        std::find_if(edits.begin(), edits.end(), [](const base::edit& e) { return e.text.data() == streamed; });
    if (added != edits.end()) edits.erase(added);
    return edits;
}

const contract& socket_instance() {
    static const socket_contract contract;
    return contract;
}

} // namespace turnout::codec::responses
