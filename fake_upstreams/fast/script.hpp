#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace turnout::fast {

/// What clients may speak.
enum class protocol { chat, messages, responses };

/// By its name: "chat", "messages" or "responses".
[[nodiscard]] std::optional<protocol> protocol_named(std::string_view name);

/// Where its requests go to.
[[nodiscard]] std::string_view path_of(protocol spoken);

/// A whole HTTP request for a stream. `kind` says which, as request.hpp has it.
[[nodiscard]] std::string request_for(protocol spoken, std::string_view model, std::string_view kind);

/// An event with one token. Where a protocol numbers its events, the number stands between the two texts.
struct token_text {
    std::string before;
    std::string after;
    bool numbered = false;
    std::uint64_t first = 0; ///< number of the first token
};

/// A stream as its provider frames it: events before the first token, tokens, and the events after so many of them.
struct stream_script {
    std::vector<std::string> opening;
    token_text token;
    std::function<std::string(std::uint64_t tokens)> ending;
};

/// Stands for the id of a response where any will do: a gateway that keeps responses apart has ids of its own.
inline constexpr char any_id = '\x01';

/// The stream whose answers name this model.
[[nodiscard]] stream_script script_of(protocol spoken, std::string_view model, std::string_view response_id);

[[nodiscard]] stream_script chat_script(std::string_view model);
[[nodiscard]] stream_script messages_script(std::string_view model);
[[nodiscard]] stream_script responses_script(std::string_view model, std::string_view id);

/// What every token says.
inline constexpr std::string_view token_word = " token";

/// What so many tokens say.
[[nodiscard]] std::string words(std::uint64_t tokens);

} // namespace turnout::fast
