#include "codec/sse.hpp"

#include <algorithm>
#include <cassert>

namespace turnout::codec::sse {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

} // namespace

/// The event being read. Its views point into the fed bytes or into the decoder's buffers.
struct decoder::pending {
    std::string_view name;
    std::string_view data;
    bool has_data = false;

    bool matters() const { return has_data || !name.empty(); }
};

decoder::decoder(std::size_t max_event_bytes) : max_event_bytes_(max_event_bytes) {}

void decoder::feed(std::string_view bytes) {
    if (error_ != decoder_error::none) {
        return;
    }
    assert(position_ == input_.size());
    input_ = bytes;
    position_ = 0;
    if (skip_lf_ && !bytes.empty()) {
        skip_lf_ = false;
        position_ = bytes.front() == '\n' ? 1 : 0;
    }
    lf_ = bytes.find('\n', position_);
    cr_ = bytes.find('\r', position_);
}

std::optional<event> decoder::next() {
    pending reading = held();
    while (const auto taken = take_line()) {
        if (!fits(reading, taken->size())) {
            return std::nullopt;
        }
        const std::string_view line = without_mark(*taken);
        if (!line.empty()) {
            add_line(line, reading);
        } else if (reading.matters()) {
            return dispatch(reading);
        }
    }
    hold(reading);
    return std::nullopt;
}

std::optional<event> decoder::finish() {
    pending reading = held();
    if (error_ == decoder_error::none && has_line_) {
        has_line_ = false;
        add_line(without_mark(line_), reading);
    }
    if (error_ != decoder_error::none || !reading.matters()) {
        return std::nullopt;
    }
    return dispatch(reading);
}

bool decoder::at_boundary() const { return position_ == input_.size() && !has_line_ && !has_name_ && !has_data_; }

std::optional<std::string_view> decoder::take_line() {
    // The two positions are searched again only once passed, so that each fed byte is looked at once for each kind
    // of line end, whichever kind the stream uses.
    const std::size_t end = std::min(lf_, cr_);
    if (end == std::string_view::npos || error_ != decoder_error::none) {
        return std::nullopt;
    }
    std::string_view line = input_.substr(position_, end - position_);
    position_ = end + 1;
    if (end == cr_) {
        if (position_ == input_.size()) {
            skip_lf_ = true;
        } else if (position_ == lf_) {
            ++position_;
        }
        cr_ = input_.find('\r', position_);
    }
    if (lf_ < position_) {
        lf_ = input_.find('\n', position_);
    }
    if (has_line_) {
        has_line_ = false;
        line_.append(line);
        line = line_;
    }
    return line;
}

std::string_view decoder::without_mark(std::string_view line) {
    if (first_line_ && line.starts_with(byte_order_mark)) {
        line.remove_prefix(byte_order_mark.size());
    }
    first_line_ = false;
    return line;
}

void decoder::add_line(std::string_view line, pending& reading) {
    const std::size_t colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    const bool is_data = field == "data";
    if (!is_data && field != "event") {
        return; // a comment (its field is empty) or a field that framing does not need
    }
    std::string_view value = colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
    if (value.starts_with(' ')) {
        value.remove_prefix(1);
    }
    if (!is_data) {
        reading.name = value;
        return;
    }
    if (!reading.has_data) {
        reading.has_data = true;
        reading.data = value;
        return;
    }
    if (reading.data.data() != data_.data()) {
        data_.assign(reading.data);
    }
    data_.append(1, '\n').append(value);
    reading.data = data_;
}

bool decoder::fits(const pending& reading, std::size_t line_bytes) {
    if (reading.name.size() + reading.data.size() + line_bytes <= max_event_bytes_) {
        return true;
    }
    error_ = decoder_error::event_too_large;
    return false;
}

decoder::pending decoder::held() const {
    return {
        .name = has_name_ ? std::string_view{name_} : std::string_view{},
        .data = has_data_ ? std::string_view{data_} : std::string_view{},
        .has_data = has_data_,
    };
}

void decoder::hold(const pending& reading) {
    const std::string_view tail = input_.substr(position_);
    position_ = input_.size();
    if (error_ != decoder_error::none || !fits(reading, tail.size() + (has_line_ ? line_.size() : 0))) {
        return;
    }
    // Before `line_` changes, since name and data may point into the line that it held.
    has_name_ = !reading.name.empty();
    if (has_name_ && reading.name.data() != name_.data()) {
        name_.assign(reading.name);
    }
    has_data_ = reading.has_data;
    if (has_data_ && reading.data.data() != data_.data()) {
        data_.assign(reading.data);
    }
    if (has_line_) {
        line_.append(tail);
    } else if (!tail.empty()) {
        line_.assign(tail);
        has_line_ = true;
    }
}

event decoder::dispatch(const pending& reading) {
    has_name_ = false;
    has_data_ = false;
    return {.name = reading.name, .data = reading.data, .has_data = reading.has_data};
}

} // namespace turnout::codec::sse
