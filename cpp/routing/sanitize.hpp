#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace turnout::routing {

/// What a provider's words about one deployment must not tell a caller. Empty members hide nothing.
struct hidden_words {
    std::string_view upstream_model;
    std::string_view public_model; ///< takes the upstream model's place
    std::string_view base_url;
    std::span<const std::string_view> credentials;
};

/// Longest text that is passed on, in Unicode code points.
constexpr std::size_t longest_public_text = 2000;

/// A provider's message, param or code, fit to be shown: credentials, base URL and upstream model replaced, then cut.
/// Empty if nothing fit is left, as with HTML or blank text: the caller of this then has a sentence of its own to say.
std::string sanitize(std::string_view text, const hidden_words& hidden);

} // namespace turnout::routing
