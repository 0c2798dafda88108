#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace turnout::codec::responses {

/// Appends the events of the stream that an accepted JSON answer would have been, up to the last item's end; the
/// terminal event is not among them. Returns how many there are: they are numbered from 0.
std::int64_t write_answer_events(std::string& out, std::string_view answer);

/// A Response object as it was when it began.
std::string begun_response(std::string_view response);

} // namespace turnout::codec::responses
