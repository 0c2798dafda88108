#include "codec/contracts/repetition.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec {
namespace {

/// So many events are kept in vain before a stream counts as one whose events differ; then only some are.
constexpr unsigned patience = 8;
constexpr unsigned rarely = 64;

/// Fewer than any integer that a client's double could not hold.
constexpr std::size_t most_digits = 15;

std::string_view number_at(std::string_view text) {
    if (text.starts_with('0')) return {};
    const auto* const end = std::find_if_not(text.begin(), text.end(), base::is_digit);
    const auto size = static_cast<std::size_t>(end - text.begin());
    return size <= most_digits ? text.substr(0, size) : std::string_view();
}

} // namespace

bool repetition::matches(std::string_view name, std::string_view data) {
    if (!kept_ || name != name_) return false;
    number_ = {};
    std::size_t at = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0;; ++i) {
        const std::string_view known = std::string_view(read_).substr(begin, pieces_[i].read_end - begin);
        if (!data.substr(at).starts_with(known)) return false;
        at += known.size();
        begin = pieces_[i].read_end;
        if (i == count_) break;
        values_[i] = numbers_[i] ? number_at(data.substr(at)) : json::string_at(data.substr(at - 1));
        if (values_[i].empty()) return false;
        if (numbers_[i]) number_ = values_[i];
        at += values_[i].size();
    }
    if (at != data.size()) return false;
    in_vain_ = 0;
    return true;
}

void repetition::write(std::string& out) const {
    std::size_t begin = 0;
    for (std::size_t i = 0;; ++i) {
        out.append(written_, begin, pieces_[i].written_end - begin);
        if (i == count_) return;
        out += values_[i];
        begin = pieces_[i].written_end;
    }
}

bool repetition::worth_it() {
    if (!used_) return false;
    if (in_vain_ < patience) {
        ++in_vain_;
        return true;
    }
    if (++passed_ < rarely) return false;
    passed_ = 0;
    return true;
}

void repetition::keep(std::string_view name, std::string_view written, std::string_view data,
                      const std::vector<patch>& patches, std::initializer_list<std::string_view> values) {
    kept_ = false;
    if (!worth_it() || data.size() > most_bytes || name.size() > most_bytes || !is_one_line(data)) return;
    count_ = 0;
    for (const std::string_view value : values) {
        if (!value.empty()) values_[count_++] = value;
    }
    std::sort(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count_),
              [](std::string_view a, std::string_view b) { return a.data() < b.data(); });
    name_ = name;
    read_.clear();
    written_.clear();
    begin_event(written_, written);
    std::size_t from = 0;
    for (std::size_t i = 0; i <= count_; ++i) {
        const bool last = i == count_;
        const std::size_t to = last ? data.size() : static_cast<std::size_t>(values_[i].data() - data.data());
        read_ += data.substr(from, to - from);
        write_part(written_, data, from, to, patches);
        if (last) {
            end_event(written_);
        } else {
            numbers_[i] = data[to - 1] != '"';
            from = to + values_[i].size();
        }
        pieces_[i] = {read_.size(), written_.size()};
    }
    kept_ = true;
}

} // namespace turnout::codec
