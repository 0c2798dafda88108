#include "fake_upstreams/fast/tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace turnout::fast {
namespace {

/// A number as text; as many digits as 64 bits need.
class digits {
public:
    explicit digits(std::uint64_t value, int base = 10)
        : end_(std::to_chars(text_.data(), text_.data() + text_.size(), value, base).ptr) {}
    [[nodiscard]] std::string_view view() const {
        return {text_.data(), static_cast<std::size_t>(end_ - text_.data())};
    }

private:
    std::array<char, 20> text_{};
    char* end_;
};

void append_chunk(std::string& out, std::string_view before, std::string_view number, std::string_view after) {
    out.append(digits(before.size() + number.size() + after.size(), 16).view()).append("\r\n");
    out.append(before).append(number).append(after).append("\r\n");
}

} // namespace

std::string chunk(std::string_view payload) {
    std::string whole;
    append_chunk(whole, payload, {}, {});
    return whole;
}

token_bytes::token_bytes(token_text text, framing frame, std::size_t longest) : text_(std::move(text)), frame_(frame) {
    if (text_.numbered) return;
    do append(0, bytes_);
    while (bytes_.size() < longest + run_from(0).size);
}

std::string_view token_bytes::from(place at, std::uint64_t end, std::size_t most) {
    if (text_.numbered) {
        bytes_.clear();
        for (std::uint64_t token = at.token; token < end && bytes_.size() < at.offset + most; ++token)
            append(token, bytes_);
        return std::string_view(bytes_).substr(at.offset, most);
    }
    const std::size_t size = run_from(at.token).size;
    const std::uint64_t tokens = std::min<std::uint64_t>(end - at.token, bytes_.size() / size);
    return std::string_view(bytes_).substr(0, tokens * size).substr(at.offset, most);
}

token_bytes::place token_bytes::after(place at, std::size_t bytes) const {
    at.offset += bytes;
    while (true) {
        const run same = run_from(at.token);
        const std::uint64_t passed = std::min<std::uint64_t>(at.offset / same.size, same.tokens);
        at.token += passed;
        at.offset -= passed * same.size;
        if (passed < same.tokens) return at;
    }
}

void token_bytes::append(std::uint64_t token, std::string& out) const {
    const digits number(text_.first + token);
    const std::string_view between = text_.numbered ? number.view() : std::string_view();
    if (frame_ == framing::chunked) {
        append_chunk(out, text_.before, between, text_.after);
    } else {
        out.append(text_.before).append(between).append(text_.after);
    }
}

token_bytes::run token_bytes::run_from(std::uint64_t token) const {
    std::size_t size = text_.before.size() + text_.after.size();
    std::uint64_t tokens = endless;
    if (text_.numbered) {
        const std::uint64_t number = text_.first + token;
        std::uint64_t longer = 10;
        for (++size; number >= longer; longer *= 10) ++size;
        tokens = longer - number;
    }
    if (frame_ == framing::chunked) size += digits(size, 16).view().size() + 4;
    return {size, tokens};
}

} // namespace turnout::fast
