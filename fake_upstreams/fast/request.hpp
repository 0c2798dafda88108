#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "fake_upstreams/fast/script.hpp"

namespace turnout::fast {

enum class answer_kind { json, paced, flooded, idle, stepped, steps };

/// A request as far as it decides the answer. The words that the first message's content begins with say which:
/// "paced N" is a stream of N tokens a second, "flooded" one as fast as it is read, "idle" one that falls silent after
/// its first token, "stepped N" one of N tokens that gives the next at each step and then ends. Everything else is
/// answered with JSON, which chat alone has. A connection that asks for `/step` is not answered: each byte that follows
/// on it is a step.
struct request {
    protocol spoken = protocol::chat;
    std::string_view model{}; // lies in the bytes that were read
    answer_kind kind = answer_kind::json;
    std::uint64_t number = 0;  // the N of its kind
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
