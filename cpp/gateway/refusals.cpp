#include "gateway/refusals.hpp"

#include <string>

#include "gateway/client_answer.hpp"

namespace turnout::gateway {

codec::public_error invalid(int status, std::string_view code, std::string_view message, std::string_view param) {
    return {status, "invalid_request_error", std::string(code), std::string(param), std::string(message)};
}

net::refusal refuse(const served_contract& shape, std::string_view request_id, const codec::public_error& e,
                    std::string_view extra) {
    net::refusal r{.status = e.status, .fields = json_fields(shape, request_id), .body = {}};
    r.fields += extra;
    shape.protocol.write_error(r.body, e, request_id);
    return r;
}

net::refusal refuse(std::string_view request_id, const codec::public_error& e, std::string_view extra) {
    return refuse(contract_of(contract_kind::chat), request_id, e, extra);
}

void send(const net::exchange_ptr& x, const net::refusal& r) { x->respond(r.status, r.fields, r.body); }

} // namespace turnout::gateway
