#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "codec/http1.hpp"

namespace turnout::gateway {

/// The head of a GET request with the given header lines. Lives as long as its parser.
class request_head {
public:
    explicit request_head(std::string_view lines) {
        const std::string text = "GET / HTTP/1.1\r\nHost: h\r\n" + std::string(lines) + "\r\n";
        std::string_view rest = text;
        if (parser_.next(rest).type != codec::http1::event_type::head) throw std::invalid_argument("no head");
    }
    operator const codec::http1::head&() const { return parser_.current(); } // NOLINT(google-explicit-constructor)

private:
    codec::http1::parser parser_{codec::http1::message_kind::request};
};

} // namespace turnout::gateway
