#include "codec/contracts/anthropic_error.hpp"

#include "codec/json_string.hpp"

namespace turnout::codec {

std::string_view anthropic_error_type(int status) {
    switch (status) {
    case 401: return "authentication_error";
    case 402: return "billing_error";
    case 403: return "permission_error";
    case 404: return "not_found_error";
    case 409: return "conflict_error";
    case 413: return "request_too_large";
    case 429: return "rate_limit_error";
    case 408:
    case 504: return "timeout_error";
    case 503:
    case 529: return "overloaded_error";
    default: return status < 500 ? "invalid_request_error" : "api_error";
    }
}

void write_anthropic_error(std::string& out, const public_error& e, std::string_view request_id) {
    out += R"({"type":"error","error":{"type":")";
    out += anthropic_error_type(e.status);
    out += R"(","message":)";
    json::write_json_string(out, e.message);
    out += R"(},"request_id":)";
    json::write_json_string(out, request_id);
    out += '}';
}

} // namespace turnout::codec
