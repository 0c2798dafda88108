#include "codec/contracts/sealed_ids.hpp"

#include <algorithm>

#include "codec/edits.hpp"
#include "codec/json_string.hpp"

namespace turnout::codec {
namespace {

constexpr std::size_t most_known = 8;

} // namespace

std::string_view sealed_ids::operator()(std::string_view value) {
    if (sealer_ == nullptr) return value;
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const pair& p) { return p.given == value; });
    if (known != known_.end()) return known->shown;
    const std::string_view raw = value.substr(1, value.size() - 2);
    const json::string_token id{raw, raw.find('\\') != raw.npos};
    known_.push_back({std::string(value), json::to_json_string(sealer_->seal(id.decode()))});
    return known_.back().shown;
}

void sealed_ids::forget_some() {
    if (known_.size() > most_known) known_.clear();
}

void add_id_edits(std::string_view body, accepted_answer& answer, sealed_ids& ids) {
    for (const byte_range& range : answer.ids)
        insert_sorted(answer.edits, {range.offset, range.length, ids(body.substr(range.offset, range.length))});
}

} // namespace turnout::codec
