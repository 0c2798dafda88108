#include "codec/http1_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <system_error>

#include "base/ascii.hpp"

namespace turnout::codec::http1 {

namespace {

std::uint64_t word_at(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// `base::lower` of eight bytes at once. The sums carry into a byte's top bit, which ASCII leaves free, when its letter
/// is beyond a bound.
std::uint64_t lower_word(std::uint64_t word) {
    constexpr std::uint64_t every = 0x0101010101010101U;
    const std::uint64_t low = word & (every * 0x7F);
    const std::uint64_t from_a = low + every * (0x80 - 'A');
    const std::uint64_t beyond_z = low + every * (0x7F - 'Z');
    const std::uint64_t upper = (from_a ^ beyond_z) & ~word & (every * 0x80);
    return word | (upper >> 2U);
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && base::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && base::is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::optional<std::uint64_t> parse_length(std::string_view digits) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) {
        return std::nullopt;
    }
    return value;
}

using character_set = std::array<bool, 256>;

/// Letters, digits and `signs`.
constexpr character_set alphanumeric_and(std::string_view signs) {
    character_set set{};
    for (char c = '0'; c <= '9'; ++c) set[static_cast<unsigned char>(c)] = true;
    for (char c = 'a'; c <= 'z'; ++c)
        set[static_cast<unsigned char>(c)] = set[static_cast<unsigned char>(c - 0x20)] = true;
    for (const char c : signs) set[static_cast<unsigned char>(c)] = true;
    return set;
}

// RFC 3986, 3.2.2; whether percent signs begin an encoding decides about nothing here.
constexpr character_set of_names = alphanumeric_and("-._~%!$&'()*+,;=");
constexpr character_set of_addresses = alphanumeric_and("-._~!$&'()*+,;=:");

/// The headers that decide about framing and connection, gathered in one pass.
struct gathered {
    int hosts = 0;
    int lengths = 0;
    int codings = 0;
    std::string_view host;
    std::string_view length;
    std::string_view coding;
    std::string_view expect;
    bool close = false;
    bool keep_alive = false;
};

gathered gather(const head& h) {
    gathered g;
    for (const auto& [name, value] : h.headers()) {
        // The sizes differ, so that most headers cost one comparison of integers.
        switch (name.size()) {
        case 4:
            if (same_name(name, "host")) {
                ++g.hosts;
                g.host = value;
            }
            break;
        case 6:
            if (same_name(name, "expect")) {
                g.expect = value;
            }
            break;
        case 10:
            if (same_name(name, "connection")) {
                g.close = g.close || has_token(value, "close");
                g.keep_alive = g.keep_alive || has_token(value, "keep-alive");
            }
            break;
        case 14:
            if (same_name(name, "content-length")) {
                ++g.lengths;
                g.length = value;
            }
            break;
        case 17:
            if (same_name(name, "transfer-encoding")) {
                ++g.codings;
                g.coding = value;
            }
            break;
        default: break;
        }
    }
    return g;
}

refusal judge_framing(const gathered& g, int minor_version) {
    if (g.codings > 0) {
        if (g.lengths > 0) {
            return {problem_kind::framing, "Both Content-Length and Transfer-Encoding are present."};
        }
        if (minor_version == 0) {
            return {problem_kind::framing, "Transfer-Encoding is not allowed in HTTP/1.0."};
        }
        if (g.codings > 1 || !same_name(g.coding, "chunked")) {
            return {problem_kind::framing, "The only transfer coding supported is chunked, once."};
        }
    }
    if (g.lengths > 1) {
        return {problem_kind::framing, "Content-Length is present more than once."};
    }
    return {};
}

refusal judge_request(const head& h, const gathered& g) {
    if (h.method() == "CONNECT") {
        return {problem_kind::upgrade, "CONNECT is not supported."};
    }
    if (!std::all_of(h.target().begin(), h.target().end(), [](char c) { return c > ' ' && c < '\x7f'; })) {
        return {problem_kind::malformed, "The request target holds a character that is not allowed."};
    }
    if (g.hosts > 1) {
        return {problem_kind::host, "The Host header is present more than once."};
    }
    if (g.hosts == 0 && h.minor_version() == 1) {
        return {problem_kind::host, "The Host header is missing."};
    }
    if (!is_host(g.host)) {
        return {problem_kind::host, "The Host header is not a host with at most a port behind it."};
    }
    return {};
}

refusal judge_response(const head& h, bool upgrade_asked) {
    if (h.status() < 100) {
        return {problem_kind::malformed, "The status code is not valid."};
    }
    if (h.status() == 101 && !upgrade_asked) {
        return {problem_kind::malformed, "The protocol was switched without being asked to."};
    }
    return {};
}

} // namespace

bool is_host(std::string_view value) {
    const auto end_of = [](std::string_view text, const character_set& allowed) {
        return std::find_if_not(text.begin(), text.end(),
                                [&](char c) { return allowed[static_cast<unsigned char>(c)]; });
    };
    const auto rest_from = [&](std::string_view::const_iterator at) {
        return value.substr(static_cast<std::size_t>(at - value.begin()));
    };
    std::string_view rest;
    if (value.starts_with('[')) {
        rest = rest_from(end_of(value.substr(1), of_addresses));
        if (!rest.starts_with(']') || rest.size() + 1 == value.size()) return false;
        rest.remove_prefix(1);
    } else {
        rest = rest_from(end_of(value, of_names));
    }
    if (rest.empty()) return true;
    return rest.front() == ':' && std::all_of(rest.begin() + 1, rest.end(), base::is_digit);
}

bool has_token(std::string_view list, std::string_view token) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        if (same_name(trim(list.substr(0, comma)), token)) {
            return true;
        }
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return false;
}

bool same_letters(std::string_view a, std::string_view b) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    if (a.size() < word) {
        return std::equal(a.begin(), a.end(), b.begin(),
                          [](char x, char y) { return x == y || base::lower(x) == base::lower(y); });
    }
    const auto same_word = [&](std::size_t at) {
        return lower_word(word_at(a.data() + at)) == lower_word(word_at(b.data() + at));
    };
    for (std::size_t at = 0; at + word < a.size(); at += word) {
        if (!same_word(at)) {
            return false;
        }
    }
    return same_word(a.size() - word); // some letters twice, instead of one by one
}

message_facts examine(const head& h, message_kind kind, bool bodiless_answer, bool upgrade_asked) {
    const gathered g = gather(h);
    const bool request = kind == message_kind::request;
    message_facts facts;
    facts.refused = request ? judge_request(h, g) : judge_response(h, upgrade_asked);
    if (facts.refused.kind == problem_kind::none) {
        facts.refused = judge_framing(g, h.minor_version());
    }
    if (facts.refused.kind != problem_kind::none) {
        return facts;
    }
    facts.chunked = g.codings > 0;
    if (g.lengths > 0) {
        facts.content_length = parse_length(g.length);
        if (!facts.content_length) {
            facts.refused = {problem_kind::framing, "Content-Length is not a number."};
            return facts;
        }
    }
    const bool status_without_body = h.status() < 200 || h.status() == 204 || h.status() == 304;
    facts.no_body = !request && (bodiless_answer || status_without_body);
    facts.until_close = !request && !facts.no_body && !facts.chunked && !facts.content_length;
    facts.keep_alive = !g.close && (h.minor_version() == 1 || g.keep_alive) && !facts.until_close;
    facts.expects_continue = request && h.minor_version() == 1 && same_name(g.expect, "100-continue")
                             && (facts.chunked || facts.content_length.value_or(0) > 0);
    return facts;
}

} // namespace turnout::codec::http1
