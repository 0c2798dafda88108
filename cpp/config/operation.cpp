#include "config/operation.hpp"

namespace turnout::config {

std::string_view to_string(operation o) {
    switch (o) {
    case operation::chat: return "chat";
    case operation::images_generations: return "images.generations";
    case operation::images_edits: return "images.edits";
    case operation::videos_generations: return "videos.generations";
    case operation::audio_transcriptions: return "audio.transcriptions";
    case operation::audio_speech: return "audio.speech";
    case operation::embeddings: return "embeddings";
    case operation::rerank: return "rerank";
    }
    return {};
}

} // namespace turnout::config
