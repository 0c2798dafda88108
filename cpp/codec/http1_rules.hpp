#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/http1.hpp"

/// What a message's head says about the message, and the refusals that llhttp leaves to its user. For `parser` alone.
namespace turnout::codec::http1 {

struct refusal {
    problem_kind kind = problem_kind::none;
    std::string_view text;
};

struct message_facts {
    refusal refused; ///< if its kind is not `none`, nothing else counts
    bool keep_alive = false;
    bool chunked = false;
    bool expects_continue = false;
    bool until_close = false; ///< only the end of the connection ends the body
    bool no_body = false;     ///< none follows, whatever the head says
    std::optional<std::uint64_t> content_length;
};

/// `bodiless_answer`: the head answers a HEAD request; `upgrade_asked`: one that asked for another protocol.
message_facts examine(const head& h, message_kind kind, bool bodiless_answer, bool upgrade_asked);

/// Whether it is a host, which may be empty, with at most a colon and a port behind it (RFC 9110, 7.2).
bool is_host(std::string_view value);

/// Whether a header's value, which is a list with commas, has the token, in whatever case.
bool has_token(std::string_view list, std::string_view token);

/// Precondition: both are of the same size.
bool same_letters(std::string_view a, std::string_view b);
/// ASCII case-insensitive. Most names that are compared differ in their size or first letter, which costs no call.
inline bool same_name(std::string_view a, std::string_view b) {
    constexpr int all_but_case = ~('a' ^ 'A');
    return a.size() == b.size() && (a.empty() || ((a.front() ^ b.front()) & all_but_case) == 0) && same_letters(a, b);
}

} // namespace turnout::codec::http1
