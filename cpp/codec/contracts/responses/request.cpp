#include "codec/contracts/responses/request.hpp"

#include "codec/contracts/request_reader.hpp"

namespace turnout::codec::responses {
namespace {

class responses_reader final : public request_reader {
public:
    using request_reader::request_reader;

private:
    void read_member(const json::string_token& name) override {
        if (name.equals("input")) {
            if (once(seen_input_, "input")) read_input();
        } else if (name.equals("background")) {
            if (once(seen_background_, "background")) read_background();
        } else {
            scan().skip();
        }
    }

    // What a request may do without depends on its `prompt` and `previous_response_id`, which the upstream knows.
    void check_presence() override {}

    void read_input() {
        const json::kind kind = scan().peek();
        if (!scan().skip() || kind == json::kind::string || kind == json::kind::array) return;
        refuse("invalid_type", "input", "'input' must be a string or an array.");
    }

    void read_background() {
        if (!read_switch("background")) return;
        refuse("unsupported_parameter", "background",
               "'background' is not supported: an answer is waited for. Leave it out or make it false.");
    }

    bool seen_input_ = false;
    bool seen_background_ = false;
};

} // namespace

std::variant<contract_request, request_problem> parse_request(std::string_view body) {
    return responses_reader(body).read();
}

} // namespace turnout::codec::responses
