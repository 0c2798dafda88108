#include "codec/contracts/responses/item_record.hpp"

#include <algorithm>

namespace turnout::codec::responses {

void item_record::lose() {
    lost_ = true;
    open_ = {};
    texts_ = {};
    items_ = {};
}

void item_record::open(std::int64_t output_index) {
    if (lost_) return;
    open_.push_back(output_index);
    if (size() > most_bytes) lose();
}

void item_record::finish(std::int64_t output_index, std::string_view item) {
    if (lost_) return;
    if (item.empty() || size() + item.size() > most_bytes) {
        lose();
        return;
    }
    // One that was never announced ends none of the others.
    if (const auto found = std::find(open_.begin(), open_.end(), output_index); found != open_.end())
        open_.erase(found);
    items_.push_back({output_index, texts_.size(), item.size()});
    texts_.append(item);
}

std::string item_record::list() const {
    std::vector<kept> ordered = items_;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const kept& a, const kept& b) { return a.output_index < b.output_index; });
    std::string out = "[";
    for (const kept& item : ordered) {
        if (out.size() > 1) out += ',';
        out.append(texts_, item.begin, item.length);
    }
    return out += ']';
}

} // namespace turnout::codec::responses
