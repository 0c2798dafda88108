#include "codec/websocket/handshake.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "codec/http1_rules.hpp"

namespace turnout::codec::websocket {
namespace {

/// Whether a header of this name, which may come several times, lists the word.
bool lists(const http1::head& head, std::string_view name, std::string_view word) {
    return std::any_of(head.headers().begin(), head.headers().end(), [&](const auto& h) {
        return http1::same_name(h.name, name) && http1::has_token(h.value, word);
    });
}

bool is_base64(char c) { return base::is_alphanumeric(c) || c == '+' || c == '/'; }

/// 16 bytes in base64.
bool is_key(std::string_view text) {
    return text.size() == 24 && text.ends_with("==") && std::all_of(text.begin(), text.end() - 2, is_base64);
}

} // namespace

std::variant<std::string_view, handshake_problem> read_handshake(const http1::head& head) {
    if (head.method() != "GET" || !lists(head, "upgrade", "websocket"))
        return handshake_problem{426, "A WebSocket begins with GET and 'Upgrade: websocket'."};
    if (head.minor_version() != 1) return handshake_problem{400, "A WebSocket begins with a request in HTTP/1.1."};
    if (!lists(head, "connection", "upgrade"))
        return handshake_problem{400, "'Connection' must name 'Upgrade' to begin a WebSocket."};
    const auto version = head.find_only("sec-websocket-version");
    if (!version) return handshake_problem{400, "'Sec-WebSocket-Version' is required once; it must be 13."};
    if (*version != "13") return handshake_problem{426, "'Sec-WebSocket-Version' must be 13."};
    const auto key = head.find_only("sec-websocket-key");
    if (!key || !is_key(*key))
        return handshake_problem{400, "'Sec-WebSocket-Key' is required once: 16 random bytes in base64."};
    return *key;
}

std::string_view why_not_accepted(const http1::head& head, std::string_view accept) {
    if (!lists(head, "upgrade", "websocket") || !lists(head, "connection", "upgrade"))
        return "the answer 101 does not upgrade to a WebSocket";
    if (head.find("sec-websocket-accept") != accept) return "the answer 101 is not for this handshake";
    if (head.find("sec-websocket-extensions") || head.find("sec-websocket-protocol"))
        return "the answer 101 agrees to what was not offered";
    return {};
}

} // namespace turnout::codec::websocket
