#include "fake_upstreams/fast/request.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <strings.h>

namespace turnout::fast {
namespace {

/// The model and the first words of the first message are found in this much of the body.
constexpr std::size_t decisive = 512;

template <class Number>
std::optional<Number> number(std::string_view digits) {
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end == digits.data()) return std::nullopt;
    return value;
}

std::optional<std::size_t> content_length(std::string_view head) {
    constexpr std::string_view name = "content-length:";
    for (std::size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at + 2)) {
        const std::string_view line = head.substr(at + 2);
        if (line.size() < name.size() || strncasecmp(line.data(), name.data(), name.size()) != 0) continue;
        const std::string_view value = line.substr(name.size());
        return number<std::size_t>(value.substr(std::min(value.find_first_not_of(' '), value.size())));
    }
    return std::nullopt;
}

/// The text after the first `before`, up to a quotation mark.
std::string_view text_after(std::string_view body, std::string_view before) {
    const std::size_t at = body.find(before);
    if (at == std::string_view::npos) return {};
    const std::string_view text = body.substr(at + before.size());
    return text.substr(0, text.find('"'));
}

struct kind_word {
    std::string_view word;
    answer_kind kind;
    bool counts; ///< a number of its own follows
};

constexpr std::array kind_words{
    kind_word{"paced ", answer_kind::paced, true},
    kind_word{"stepped ", answer_kind::stepped, true},
    kind_word{"flooded", answer_kind::flooded, false},
    kind_word{"idle", answer_kind::idle, false},
};

std::optional<protocol> asked_protocol(std::string_view head) {
    for (const protocol spoken : {protocol::chat, protocol::messages, protocol::responses}) {
        std::string line = "POST ";
        line.append(path_of(spoken)).append(" HTTP/1.1\r\n");
        if (head.starts_with(line)) return spoken;
    }
    return std::nullopt;
}

} // namespace

std::variant<incomplete, request, refusal> read_request(std::string_view bytes) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string_view::npos) return incomplete{};
    const std::string_view head = bytes.substr(0, end);
    if (head.starts_with("POST /step HTTP/1.1\r\n")) return request{.kind = answer_kind::steps, .taken = end + 4};
    const std::optional<protocol> spoken = asked_protocol(head);
    if (!spoken) return refusal{"not a request of chat, messages or responses by HTTP/1.1"};
    const std::optional<std::size_t> length = content_length(head);
    if (!length) return refusal{"a request needs a content-length"};

    const std::string_view body = bytes.substr(end + 4, *length);
    if (body.size() < std::min(decisive, *length)) return incomplete{};
    request found{.spoken = *spoken,
                  .model = text_after(body, R"("model":")"),
                  .taken = end + 4 + body.size(),
                  .body_left = *length - body.size()};
    const std::string_view content = text_after(body, R"("content":")");
    for (const kind_word& known : kind_words) {
        if (!content.starts_with(known.word)) continue;
        found.kind = known.kind;
        found.number = number<std::uint64_t>(content.substr(known.word.size())).value_or(0);
        if (known.counts && found.number == 0) return refusal{"this kind of stream wants a number of tokens"};
    }
    if (found.kind == answer_kind::json && *spoken != protocol::chat) return refusal{"JSON is for chat alone"};
    return found;
}

} // namespace turnout::fast
