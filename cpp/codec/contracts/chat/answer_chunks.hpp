#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace turnout::codec::chat {

/// The payloads of the stream that an accepted JSON answer would have been: per choice its output and its end, then
/// usage. Other top-level members are on each of them.
std::vector<std::string> answer_chunks(std::string_view answer);

} // namespace turnout::codec::chat
