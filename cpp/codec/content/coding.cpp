#include "codec/content/coding.hpp"

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"

namespace turnout::codec {
namespace {

constexpr std::string_view field = "content-encoding";
constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

content_coding coding_of(std::string_view spelled) {
    const auto name = base::lower_case(spelled);
    if (name.empty() || name == "identity") return content_coding::none;
    if (name == "gzip" || name == "x-gzip") return content_coding::gzip;
    if (name == "deflate") return content_coding::deflate;
    if (name == "br") return content_coding::brotli;
    return content_coding::unknown;
}

content_coding both(content_coding first, content_coding second) {
    if (first == content_coding::none) return second;
    return second == content_coding::none ? first : content_coding::several;
}

} // namespace

content_coding read_content_coding(const http1::head& head) {
    auto found = content_coding::none;
    if (!head.find(field)) return found; // as almost always, and without the cost of what follows
    for (const auto& [name, value] : head.headers()) {
        if (base::lower_case(name) != field) continue;
        for (auto rest = value; !rest.empty();) {
            const auto comma = std::min(rest.find(','), rest.size());
            found = both(found, coding_of(trimmed(rest.substr(0, comma))));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return found;
}

} // namespace turnout::codec
