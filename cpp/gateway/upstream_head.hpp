#pragma once

#include <string>
#include <string_view>

#include "codec/http1.hpp"
#include "config/configuration.hpp"
#include "gateway/stored_call.hpp"
#include "net/upstream.hpp"

namespace turnout::gateway {

/// The parts of a base URL.
struct base_location {
    net::endpoint where;
    std::string authority; ///< for the Host header
    std::string path;
};

/// Throws std::invalid_argument on what validation should have refused.
base_location locate(std::string_view base_url);

/// Header lines of any request, up to those that differ per request.
std::string upstream_fields(const config::deployment& d, const base_location& at);

/// Request line and header lines of an operation, up to those that differ per request.
std::string upstream_head(const config::deployment& d, const base_location& at, std::string_view operation,
                          std::string_view method = "POST");

/// The request line of a call about a response that the upstream keeps and calls `upstream_id`. `base_path` is of its
/// base URL.
std::string stored_request_line(const config::deployment& d, std::string_view base_path, const stored_call& call,
                                std::string_view upstream_id);

/// Appends what passes from a client of a protocol of Anthropic's: the version that it was written for, else `version`
/// (empty: none), and the betas that it asks for.
void write_anthropic_fields(std::string& out, const codec::http1::head& client, std::string_view version);

} // namespace turnout::gateway
