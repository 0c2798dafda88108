#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace turnout::config {

/// What a request asks for, as far as deadlines and attempts depend on it. Chat covers every text contract.
enum class operation {
    chat,
    images_generations,
    images_edits,
    videos_generations,
    audio_transcriptions,
    audio_speech,
    embeddings,
    rerank,
};
std::string_view to_string(operation o); ///< as configured, e.g. `images.generations`

inline constexpr std::array operations{
    operation::chat,
    operation::images_generations,
    operation::images_edits,
    operation::videos_generations,
    operation::audio_transcriptions,
    operation::audio_speech,
    operation::embeddings,
    operation::rerank,
};

/// One value of each operation.
template <class Value>
struct by_operation {
    std::array<Value, operations.size()> values{};

    Value& operator[](operation o) { return values[static_cast<std::size_t>(o)]; }
    const Value& operator[](operation o) const { return values[static_cast<std::size_t>(o)]; }
};

} // namespace turnout::config
