#include "config/default_policies.hpp"

#include <chrono>

namespace turnout::config {
namespace {

using namespace std::chrono_literals;

operation_policies default_of(operation o) {
    //                  response, idle, total, attempts
    switch (o) {
    case operation::chat: return {.json = {600s, {}, 1800s, 3}, .stream = {600s, 600s, 3600s, 3}};
    case operation::images_generations:
    case operation::images_edits: return {.json = {600s, {}, 1800s, 2}, .stream = {600s, 300s, 1800s, 2}};
    case operation::videos_generations: return {.json = {120s, {}, 300s, 2}, .stream = {120s, 120s, 900s, 2}};
    case operation::audio_transcriptions:
    case operation::audio_speech: return {.json = {900s, {}, 1800s, 2}, .stream = {600s, 300s, 1800s, 2}};
    case operation::embeddings:
    case operation::rerank: return {.json = {120s, {}, 300s, 3}, .stream = {120s, {}, 300s, 3}};
    }
    return {};
}

} // namespace

by_operation<operation_policies> default_policies() {
    by_operation<operation_policies> policies;
    for (const operation o : operations) {
        policies[o] = default_of(o);
    }
    return policies;
}

bool streams_like_json(operation o) { return o == operation::embeddings || o == operation::rerank; }

} // namespace turnout::config
