#include "codec/http1.hpp"
#include "codec/http1_rules.hpp"

namespace turnout::codec::http1 {

std::optional<std::string_view> head::find(std::string_view name) const {
    for (const header& h : headers_) {
        if (same_name(h.name, name)) {
            return h.value;
        }
    }
    return std::nullopt;
}

std::optional<std::string_view> head::find_only(std::string_view name) const {
    std::optional<std::string_view> found;
    for (const header& h : headers_) {
        if (!same_name(h.name, name)) continue;
        if (found) return std::nullopt;
        found = h.value;
    }
    return found;
}

void head::clear() {
    bytes_.clear();
    target_begin_ = 0;
    target_size_ = 0;
    fields_.clear();
    headers_.clear();
    method_ = {};
    target_ = {};
    minor_version_ = 1;
    status_ = 0;
}

void head::seal() {
    if (!target_.empty() || !headers_.empty()) return;
    const std::string_view bytes = bytes_;
    target_ = bytes.substr(target_begin_, target_size_);
    headers_.reserve(fields_.size());
    for (const field& f : fields_) {
        std::string_view value = bytes.substr(f.value_begin, f.value_size);
        while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
        headers_.push_back({bytes.substr(f.name_begin, f.name_size), value});
    }
}

} // namespace turnout::codec::http1
