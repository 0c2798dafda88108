#include "codec/contracts/responses/item_record.hpp"

#include <algorithm>

namespace turnout::codec::responses {

void item_record::finish(std::int64_t output_index, std::string_view item) {
    if (open_ > 0) --open_;
    if (item.empty() || texts_.size() + item.size() > most_bytes) {
        lost_ = true;
        return;
    }
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
