#include "fake_upstreams/fast/stream_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

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

expected_stream::expected_stream(protocol spoken, std::string_view model, std::uint64_t tokens_in_all)
    : tokens(script_of(spoken, model, {}).token, token_bytes::framing::none, longest_comparison), last(tokens_in_all) {
    const stream_script script = script_of(spoken, model, {&any_id, 1});
    for (const std::string& event : script.opening) opening += event;
    if (last != token_bytes::endless) ending = script.ending(last);
}

std::string stream_reader::take(std::string_view bytes) {
    std::string problem;
    while (problem.empty() && !bytes.empty()) {
        switch (part_) {
        case part::head: problem = take_head(bytes); break;
        case part::size: problem = take_size(bytes); break;
        case part::data: problem = take_data(bytes); break;
        case part::end_of_data: problem = take_line_end(bytes, part::size); break;
        case part::end: problem = take_line_end(bytes, part::over); break;
        case part::over: problem = "the stream goes on behind its end with " + quoted(bytes); break;
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
    line_.clear();
    part_ = chunk_left_ == 0 ? part::end : part::data;
    const bool whole = tokens() == expected_->last && ending_at_ == expected_->ending.size();
    if (part_ == part::end && !whole) return "the stream ended after " + std::to_string(tokens()) + " tokens";
    return {};
}

std::string stream_reader::take_data(std::string_view& bytes) {
    const std::string_view payload = bytes.substr(0, chunk_left_);
    bytes.remove_prefix(payload.size());
    chunk_left_ -= payload.size();
    if (chunk_left_ == 0) part_ = part::end_of_data;
    return compare(payload);
}

std::string stream_reader::take_line_end(std::string_view& bytes, part next) {
    constexpr std::string_view end = "\r\n";
    const std::string_view came = bytes.substr(0, end.size() - line_.size());
    line_.append(came);
    bytes.remove_prefix(came.size());
    if (!end.starts_with(line_)) return "a chunk is longer than its size: it goes on with " + quoted(line_);
    if (line_ != end) return {};
    line_.clear();
    part_ = next;
    return {};
}

std::string stream_reader::compare(std::string_view payload) {
    std::string problem;
    while (problem.empty() && !payload.empty()) {
        const std::size_t before = payload.size();
        if (opening_at_ < expected_->opening.size()) {
            problem = compare_text(expected_->opening, opening_at_, payload);
        } else if (at_.token < expected_->last) {
            problem = compare_tokens(payload);
        } else if (ending_at_ < expected_->ending.size()) {
            problem = compare_text(expected_->ending, ending_at_, payload);
        } else {
            problem = "behind its end the stream has " + quoted(payload);
        }
        payload_ += before - payload.size();
    }
    return problem;
}

std::string stream_reader::compare_text(std::string_view text, std::size_t& at, std::string_view& payload) {
    if (text[at] == any_id) {
        std::string problem = compare_id(payload);
        if (problem.empty() && !payload.empty()) ++at;
        return problem;
    }
    std::string_view wanted = text.substr(at);
    wanted = wanted.substr(0, wanted.find(any_id));
    const std::string_view came = payload.substr(0, wanted.size());
    wanted = wanted.substr(0, came.size());
    if (came != wanted) return difference(came, wanted);
    at += came.size();
    payload.remove_prefix(came.size());
    return {};
}

/// An id ends where its string does, with the mark that is compared next.
std::string stream_reader::compare_id(std::string_view& payload) {
    const std::string_view came = payload.substr(0, payload.find('"'));
    came_id_.append(came);
    payload.remove_prefix(came.size());
    if (payload.empty()) return {};
    const std::string whole = std::exchange(came_id_, {});
    if (!whole.starts_with("resp_") || whole.size() == 5 || whole.find('\\') != std::string::npos)
        return "no id of a response: " + quoted(whole);
    if (id_.empty()) id_ = whole;
    return whole == id_ ? std::string() : "the response's id was " + quoted(id_) + " and is " + quoted(whole);
}

std::string stream_reader::compare_tokens(std::string_view& payload) {
    const std::string_view wanted = expected_->tokens.from(at_, expected_->last, payload.size());
    const std::string_view came = payload.substr(0, wanted.size());
    if (came != wanted) return difference(came, wanted);
    at_ = expected_->tokens.after(at_, came.size());
    payload.remove_prefix(came.size());
    return {};
}

std::string stream_reader::difference(std::string_view came, std::string_view wanted) const {
    const auto same = static_cast<std::size_t>(std::ranges::mismatch(came, wanted).in1 - came.begin());
    return "from byte " + std::to_string(payload_ + same) + " on the stream is " + quoted(came.substr(same))
           + ", must be " + quoted(wanted.substr(same));
}

} // namespace turnout::fast
