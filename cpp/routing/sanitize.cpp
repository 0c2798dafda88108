#include "routing/sanitize.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace turnout::routing {

namespace {

constexpr std::string_view in_place_of_credential = "[redacted]";
constexpr std::string_view in_place_of_address = "[upstream]";

/// A name that is part of a longer word is another word.
bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
    const bool open_before = at == 0 || !base::is_alphanumeric(text[at - 1]);
    const bool open_after = at + length == text.size() || !base::is_alphanumeric(text[at + length]);
    return open_before && open_after;
}

enum class match { anywhere, whole_words };

void replace_all(std::string& text, std::string_view word, std::string_view replacement, match how) {
    if (word.empty()) return;
    std::size_t at = 0;
    while ((at = text.find(word, at)) != std::string::npos) {
        if (how == match::whole_words && !stands_alone(text, at, word.size())) {
            at += word.size();
            continue;
        }
        text.replace(at, word.size(), replacement);
        at += replacement.size();
    }
}

bool is_markup(std::string_view text) {
    constexpr auto tags = std::to_array<std::string_view>({"<html", "<!doctype", "<head", "<body"});
    return std::any_of(tags.begin(), tags.end(), [&](std::string_view tag) {
        return std::search(text.begin(), text.end(), tag.begin(), tag.end(),
                           [](char a, char b) { return base::lower(a) == b; })
               != text.end();
    });
}

/// `https://host:port/v1/` without the path and, in a second step, without the scheme.
std::string_view origin_of(std::string_view url) {
    const auto scheme = url.find("://");
    if (scheme == std::string_view::npos) return url.substr(0, url.find('/'));
    return url.substr(0, url.find('/', scheme + 3));
}

std::string_view authority_of(std::string_view url) {
    const auto origin = origin_of(url);
    const auto scheme = origin.find("://");
    return scheme == std::string_view::npos ? origin : origin.substr(scheme + 3);
}

std::string_view without_trailing_slashes(std::string_view url) {
    while (url.ends_with('/')) url.remove_suffix(1);
    return url;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

/// Cuts between code points, so that what is left of valid UTF-8 is valid.
void cut(std::string& text) {
    std::size_t code_points = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool continues = (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
        if (!continues && code_points++ == longest_public_text) {
            text.resize(i);
            return;
        }
    }
}

} // namespace

std::string sanitize(std::string_view text, const hidden_words& hidden) {
    if (is_markup(text)) return {};
    std::string out(trimmed(text));
    for (const auto credential : hidden.credentials) {
        replace_all(out, credential, in_place_of_credential, match::anywhere);
    }
    replace_all(out, without_trailing_slashes(hidden.base_url), in_place_of_address, match::anywhere);
    replace_all(out, origin_of(hidden.base_url), in_place_of_address, match::anywhere);
    replace_all(out, authority_of(hidden.base_url), in_place_of_address, match::whole_words);
    replace_all(out, hidden.upstream_model, hidden.public_model, match::whole_words);
    cut(out); // last, so that no half of a hidden word is left at the end
    return out;
}

} // namespace turnout::routing
