#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace turnout::fast {

enum class answer_kind { json, paced, flooded, idle };

/// A chat request as far as it decides the answer. The words that the first message's content begins with say which:
/// "paced N" is a stream of N tokens a second, "flooded" one as fast as it is read, "idle" one that falls silent after
/// its first token; everything else is answered with JSON.
struct request {
    std::string_view model; // lies in the bytes that were read
    answer_kind kind = answer_kind::json;
    unsigned per_second = 0;
    std::size_t taken = 0;     // bytes of the buffer that belong to this request
    std::size_t body_left = 0; // bytes of its body that are still to come
};

struct incomplete {};

struct refusal {
    std::string_view reason;
};

/// Reads the request at the front of `bytes`.
[[nodiscard]] std::variant<incomplete, request, refusal> read_request(std::string_view bytes);

} // namespace turnout::fast
