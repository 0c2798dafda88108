#pragma once

#include "codec/http1.hpp"

namespace turnout::codec {

/// How a body is written, as its head says.
enum class content_coding {
    none,
    gzip,    ///< also called x-gzip
    deflate, ///< zlib's format or, as many servers take the name, without its header
    brotli,
    several, ///< one inside another
    unknown, ///< one that is not read here
};

/// All Content-Encoding fields of a head together, without regard to case. `identity` and empty ones say nothing.
content_coding read_content_coding(const http1::head& head);

} // namespace turnout::codec
