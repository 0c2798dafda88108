#pragma once

#include <string>

#include "base/random.hpp"
#include "codec/http1.hpp"

namespace turnout::gateway {

/// The client's `x-request-id` if it is 1 to 128 visible ASCII characters, else `req_` and 24 hexadecimal digits.
std::string request_id_of(const codec::http1::head& head, base::random_source& random);
std::string new_request_id(base::random_source& random);

} // namespace turnout::gateway
