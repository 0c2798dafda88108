#include "gateway/refusals.hpp"

#include <string>

#include "gateway/client_answer.hpp"

namespace turnout::gateway {

codec::public_error invalid(int status, std::string_view code, std::string_view message, std::string_view param) {
    return {status, "invalid_request_error", std::string(code), std::string(param), std::string(message)};
}

codec::public_error broken_encoding(std::string_view what, std::string_view param) {
    std::string message(what);
    message += " is not percent-encoded as it must be: each '%' begins a byte in two hexadecimal digits.";
    return invalid(400, "invalid_value", message, param);
}

codec::public_error overload(net::shortage what) {
    codec::public_error e{503, "service_unavailable_error", "", {}, ""};
    switch (what) {
    case net::shortage::connections:
        e.code = "too_many_connections";
        e.message = "The gateway has as many connections as it may (server.maxConnections). Please try again later.";
        break;
    case net::shortage::memory:
        e.code = "request_memory_exhausted";
        e.message = "The requests under way hold as many bytes as they may (server.requestMemoryBytes). Please try "
                    "again later.";
        break;
    }
    return e;
}

codec::public_error shutting_down() {
    return {503, "service_unavailable_error", "shutting_down", {}, "The gateway is shutting down. Please try again."};
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
