#pragma once

#include <string>

#include "base/random.hpp"
#include "codec/http1.hpp"

namespace turnout::gateway {

/// Appends the client's `x-request-id` if it is 1 to 128 visible ASCII characters, else `req_` and 24 hexadecimal digits.
void write_request_id(std::string& out, const codec::http1::head& head, base::random_source& random);

/// `write_request_id` into a string of its own.
std::string request_id_of(const codec::http1::head& head, base::random_source& random);
/// The second kind, for a request that has no head.
std::string new_request_id(base::random_source& random);

} // namespace turnout::gateway
