#include "fake_upstreams/fast/stream_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "fake_upstreams/fast/chat.hpp"

namespace turnout::fast {
namespace {

constexpr std::size_t longest_comparison = 64 * 1024;

/// Moves bytes from the front of `bytes` to `line` until that ends with `end`; false when it does not yet.
bool complete(std::string& line, std::string_view& bytes, std::string_view end) {
    while (!bytes.empty()) {
        const std::size_t size = std::min(bytes.find(end.back()), bytes.size() - 1) + 1;
        line.append(bytes.substr(0, size));
        bytes.remove_prefix(size);
        if (line.ends_with(end)) return true;
    }
    return false;
}

std::string quoted(std::string_view text) { return "'" + std::string(text.substr(0, 200)) + "'"; }

} // namespace

expected_stream::expected_stream(std::string_view model)
    : role(role_event(model)),
      tokens(repeated(content_event(model), longest_comparison)),
      token_bytes(content_event(model).size()) {}

std::string stream_reader::take(std::string_view bytes) {
    std::string problem;
    while (problem.empty() && !bytes.empty()) {
        switch (part_) {
        case part::head: problem = take_head(bytes); break;
        case part::size: problem = take_size(bytes); break;
        case part::data: problem = take_data(bytes); break;
        case part::end_of_data: problem = take_end_of_data(bytes); break;
        }
    }
    return problem;
}

std::string stream_reader::take_head(std::string_view& bytes) {
    if (!complete(line_, bytes, "\r\n\r\n")) return {};
    std::string head = std::exchange(line_, {});
    std::ranges::transform(head, head.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!head.starts_with("http/1.1 200 ")) return "the status is not 200: " + quoted(head);
    if (head.find("\r\ncontent-type: text/event-stream") == std::string::npos)
        return "no event stream: " + quoted(head);
    if (head.find("\r\ntransfer-encoding: chunked\r\n") == std::string::npos) return "not chunked: " + quoted(head);
    part_ = part::size;
    return {};
}

std::string stream_reader::take_size(std::string_view& bytes) {
    if (!complete(line_, bytes, "\r\n")) return {};
    const auto [end, error] = std::from_chars(line_.data(), line_.data() + line_.size(), chunk_left_, 16);
    if (error != std::errc{} || (*end != '\r' && *end != ';')) return "no chunk size: " + quoted(line_);
    if (chunk_left_ == 0) return "the stream ended after " + std::to_string(tokens()) + " tokens";
    line_.clear();
    part_ = part::data;
    return {};
}

std::string stream_reader::take_data(std::string_view& bytes) {
    const std::string_view payload = bytes.substr(0, chunk_left_);
    bytes.remove_prefix(payload.size());
    chunk_left_ -= payload.size();
    if (chunk_left_ == 0) part_ = part::end_of_data;
    return compare(payload);
}

std::string stream_reader::take_end_of_data(std::string_view& bytes) {
    constexpr std::string_view end = "\r\n";
    const std::string_view came = bytes.substr(0, end.size() - line_.size());
    line_.append(came);
    bytes.remove_prefix(came.size());
    if (!end.starts_with(line_)) return "a chunk is longer than its size: it goes on with " + quoted(line_);
    if (line_ != end) return {};
    line_.clear();
    part_ = part::size;
    return {};
}

std::string stream_reader::compare(std::string_view payload) {
    while (!payload.empty()) {
        std::string_view wanted;
        if (payload_ < expected_.role.size()) {
            wanted = std::string_view(expected_.role).substr(payload_);
        } else {
            wanted =
                std::string_view(expected_.tokens).substr((payload_ - expected_.role.size()) % expected_.token_bytes);
        }
        const std::string_view came = payload.substr(0, wanted.size());
        wanted = wanted.substr(0, came.size());
        if (came != wanted) {
            const auto same = static_cast<std::size_t>(std::ranges::mismatch(came, wanted).in1 - came.begin());
            return "from byte " + std::to_string(payload_ + same) + " on the stream is " + quoted(came.substr(same))
                   + ", must be " + quoted(wanted.substr(same));
        }
        payload_ += came.size();
        payload.remove_prefix(came.size());
    }
    return {};
}

} // namespace turnout::fast
