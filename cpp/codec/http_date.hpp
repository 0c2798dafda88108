#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/time.hpp"

namespace turnout::codec {

/// The `Date` line of answers (RFC 9110, 5.6.7), made anew once a second.
class date_line {
public:
    /// `date: Sun, 06 Nov 1994 08:49:37 GMT` with CRLF. Valid until the next call. From the epoch to the year 9999.
    std::string_view at(base::wall_ms now);

private:
    std::array<char, 37> text_{};
    std::int64_t second_ = -1;
};

} // namespace turnout::codec
