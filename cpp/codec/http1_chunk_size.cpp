#include "codec/http1_chunk_size.hpp"

#include "base/ascii.hpp"

namespace turnout::codec::http1 {
namespace {

bool is_text(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f'); }

} // namespace

chunk_extension::part chunk_extension::after(part now, char c) {
    switch (now) {
    case part::before_semicolon:
        if (base::is_blank(c)) return now;
        return c == ';' ? part::before_name : part::broken;
    case part::before_name:
        if (base::is_blank(c)) return now;
        return base::is_in_token(c) ? part::name : part::broken;
    case part::name:
        if (base::is_in_token(c)) return now;
        [[fallthrough]];
    case part::after_name:
        if (c == '=') return part::before_value;
        if (c == ';') return part::before_name;
        return base::is_blank(c) ? part::after_name : part::broken;
    case part::before_value:
        if (base::is_blank(c)) return now;
        if (c == '"') return part::quoted;
        return base::is_in_token(c) ? part::value : part::broken;
    case part::value:
        if (base::is_in_token(c)) return now;
        [[fallthrough]];
    case part::unquoted: return after(part::before_semicolon, c);
    case part::quoted:
        if (c == '"') return part::unquoted;
        if (c == '\\') return part::escaped;
        return is_text(c) ? now : part::broken;
    case part::escaped: return is_text(c) ? part::quoted : part::broken;
    case part::broken: break;
    }
    return part::broken;
}

std::size_t chunk_extension::take(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\r') return i;
        part_ = after(part_, bytes[i]);
        if (broken()) return i + 1;
    }
    return bytes.size();
}

std::size_t chunk_size_watch::find(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char c = bytes[i];
        switch (place_) {
        case place::elsewhere: return bytes.size();
        case place::payload_cr: place_ = place::payload_lf; break;
        case place::payload_lf: begin_body(); break;
        case place::size:
            if (base::is_hex_digit(c)) {
                digits_ = true;
            } else if (digits_ && (c == ';' || base::is_blank(c))) {
                place_ = place::extension;
                extension_ = {};
                return i;
            } else {
                place_ = place::elsewhere; // the line's end, or what llhttp refuses
                return bytes.size();
            }
            break;
        case place::extension: return i;
        }
    }
    return bytes.size();
}

} // namespace turnout::codec::http1
