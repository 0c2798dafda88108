#include "codec/websocket/handshake.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace turnout::codec::websocket {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Whether a header of this name, which may come several times, lists the word; `word` is in lower case.
bool lists(const http1::head& head, std::string_view name, std::string_view word) {
    for (const auto& [field, value] : head.headers()) {
        if (base::lower_case(field) != name) continue;
        for (std::string_view rest = value;;) {
            const auto comma = rest.find(',');
            if (base::lower_case(trimmed(rest.substr(0, comma))) == word) return true;
            if (comma == std::string_view::npos) break;
            rest.remove_prefix(comma + 1);
        }
    }
    return false;
}

bool is_base64(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/// 16 bytes in base64.
bool is_key(std::string_view text) {
    return text.size() == 24 && text.ends_with("==") && std::all_of(text.begin(), text.end() - 2, is_base64);
}

} // namespace

bool wants_websocket(const http1::head& head) { return lists(head, "upgrade", "websocket"); }

std::variant<std::string_view, handshake_problem> read_handshake(const http1::head& head) {
    if (head.method() != "GET" || !wants_websocket(head))
        return handshake_problem{426, "A WebSocket begins with GET and 'Upgrade: websocket'."};
    if (head.minor_version() != 1) return handshake_problem{400, "A WebSocket begins with a request in HTTP/1.1."};
    if (!lists(head, "connection", "upgrade"))
        return handshake_problem{400, "'Connection' must name 'Upgrade' to begin a WebSocket."};
    const auto version = head.find("sec-websocket-version");
    if (!version) return handshake_problem{400, "'Sec-WebSocket-Version' is required; it must be 13."};
    if (*version != "13") return handshake_problem{426, "'Sec-WebSocket-Version' must be 13."};
    const auto key = head.find("sec-websocket-key");
    if (!key || !is_key(*key))
        return handshake_problem{400, "'Sec-WebSocket-Key' is required: 16 random bytes in base64."};
    return *key;
}

} // namespace turnout::codec::websocket
