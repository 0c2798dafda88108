#include "naive_websocket.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "codec/utf8.hpp"

namespace turnout::fuzz {
namespace {

struct frame {
    bool fin = false;
    unsigned reserved = 0;
    unsigned opcode = 0;
    bool masked = false;
    unsigned coded_size = 0;
    std::uint64_t size = 0;
    std::string payload;
    std::size_t taken = 0; ///< bytes of the whole frame

    bool control() const { return opcode >= 8; }
    bool shortest_size() const {
        return coded_size < 126 || (coded_size == 126 ? size >= 126 : size >= 0x10000 && (size >> 63U) == 0);
    }
};

unsigned at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

/// Its header, and its payload if that is whole.
struct seen_frame {
    frame f;
    bool header = false;
    bool whole = false;
};

seen_frame read_frame(std::string_view bytes) {
    seen_frame seen;
    frame& f = seen.f;
    if (bytes.size() < 2) return seen;
    f.fin = (at(bytes, 0) & 0x80U) != 0;
    f.reserved = at(bytes, 0) & 0x70U;
    f.opcode = at(bytes, 0) & 0x0FU;
    f.masked = (at(bytes, 1) & 0x80U) != 0;
    f.coded_size = at(bytes, 1) & 0x7FU;
    std::size_t header = 2;
    const std::size_t extended = f.coded_size == 126 ? 2 : f.coded_size == 127 ? 8 : 0;
    if (bytes.size() < header + extended + (f.masked ? 4 : 0)) return seen;
    f.size = extended == 0 ? f.coded_size : 0;
    for (std::size_t i = 0; i < extended; ++i) f.size = f.size * 256 + at(bytes, header + i);
    header += extended;
    const std::string_view mask = bytes.substr(header, f.masked ? 4 : 0);
    header += mask.size();
    seen.header = true;
    if (bytes.size() - header < f.size) return seen;
    seen.whole = true;
    f.taken = header + static_cast<std::size_t>(f.size);
    for (std::size_t i = 0; i < f.size; ++i) {
        const unsigned byte = at(bytes, header + i) ^ (mask.empty() ? 0U : at(mask, i % 4));
        f.payload += static_cast<char>(byte);
    }
    return seen;
}

std::string written(unsigned opcode, std::string_view payload) {
    std::string out{static_cast<char>(0x80U | opcode), static_cast<char>(payload.size())};
    return out.append(payload);
}

std::string code(unsigned number) { return {static_cast<char>(number >> 8U), static_cast<char>(number & 0xFFU)}; }

/// Whether more bytes can make UTF-8 of it.
bool begins_utf8(const std::string& text) {
    for (const std::string_view rest : {"", "\x80", "\xBF", "\x80\x80", "\xBF\x80", "\x80\x80\x80", "\xBF\x80\x80"})
        if (codec::is_utf8(text + std::string(rest))) return true;
    return false;
}

bool sendable(unsigned c) { return (c >= 1000 && c <= 1003) || (c >= 1007 && c <= 1014) || (c >= 3000 && c <= 4999); }

} // namespace

naive_frames read_frames_naively(std::string_view bytes, std::size_t most_bytes) {
    naive_frames all;
    bool in_message = false;
    const auto close = [&](std::string_view payload) {
        all.output += written(8, payload);
        all.closed = true;
    };
    while (!bytes.empty() && !all.closed) {
        const seen_frame seen = read_frame(bytes);
        const frame& f = seen.f;
        if (seen.header && f.opcode <= 1 && f.shortest_size() && f.size > most_bytes - all.incoming.size()) {
            all.too_large = true;
            return all;
        }
        if (!seen.whole) {
            all.unread = bytes;
            return all;
        }
        bytes.remove_prefix(f.taken);
        if (!f.shortest_size() || (f.control() && (!f.fin || f.size > 125)) || (f.opcode == 8 && f.size == 1)) {
            close(code(1002));
        } else if (f.reserved != 0 || !f.masked) {
            close(code(1002));
        } else if (f.opcode == 9) {
            all.output += written(10, f.payload);
        } else if (f.opcode == 10) {
            continue;
        } else if (f.opcode == 8) {
            const std::string reason = f.payload.substr(std::min<std::size_t>(2, f.payload.size()));
            const unsigned given = f.payload.empty() ? 1005 : at(f.payload, 0) * 256 + at(f.payload, 1);
            if (!codec::is_utf8(reason)) {
                close(code(1007));
            } else if (!f.payload.empty() && !sendable(given)) {
                close(code(1002));
            } else {
                close(f.payload);
                all.left = {given, reason};
            }
        } else if (f.opcode > 2 || (f.opcode == 0) != in_message) {
            close(code(1002));
        } else if (f.opcode == 2) {
            close(code(1003) + "text messages only");
        } else {
            all.incoming += f.payload;
            in_message = !f.fin;
            if (f.fin ? !codec::is_utf8(all.incoming) : !begins_utf8(all.incoming)) {
                close(code(1007));
            } else if (f.fin) {
                all.messages.push_back(std::exchange(all.incoming, {}));
            }
        }
    }
    return all;
}

std::variant<int, std::string> read_handshake_naively(const codec::http1::head& head) {
    const auto values = [&](std::string_view wanted) {
        std::vector<std::string> found;
        for (const auto& h : head.headers()) {
            std::string name(h.name);
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
            if (name == wanted) found.emplace_back(h.value);
        }
        return found;
    };
    const auto lists = [&](std::string_view name, const char* word) {
        const std::regex listed(std::string("(^|.*,)[ \t]*") + word + "[ \t]*(,.*|$)", std::regex::icase);
        const auto all = values(name);
        return std::any_of(all.begin(), all.end(),
                           [&](const std::string& value) { return std::regex_match(value, listed); });
    };
    const std::vector<std::string> version = values("sec-websocket-version");
    const std::vector<std::string> key = values("sec-websocket-key");
    if (head.method() != "GET" || !lists("upgrade", "websocket")) return 426;
    if (head.minor_version() != 1 || !lists("connection", "upgrade") || version.empty()) return 400;
    if (version.front() != "13") return 426;
    if (key.empty() || !std::regex_match(key.front(), std::regex("[A-Za-z0-9+/]{22}=="))) return 400;
    return key.front();
}

} // namespace turnout::fuzz
