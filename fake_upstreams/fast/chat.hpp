#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnout::fast {

/// A chat completion of exactly `size` bytes, or as many as it has with one character of content.
[[nodiscard]] std::string completion(std::string_view model, std::size_t size);

} // namespace turnout::fast
