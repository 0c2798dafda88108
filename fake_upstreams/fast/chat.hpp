#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnout::fast {

/// A chat completion of exactly `size` bytes, or as many as it has with one character of content.
[[nodiscard]] std::string completion(std::string_view model, std::size_t size);

/// What a stream begins with: an event with the role, which no gateway may take for content.
[[nodiscard]] std::string role_event(std::string_view model);

/// One token. A stream repeats it for ever, so that where any byte of it belongs can be told from its position.
[[nodiscard]] std::string content_event(std::string_view model);

/// `payload` as one chunk of a chunked body.
[[nodiscard]] std::string chunk(std::string_view payload);

/// `text` so many times that it has at least `size` bytes, and one `text` more.
[[nodiscard]] std::string repeated(std::string_view text, std::size_t size);

} // namespace turnout::fast
