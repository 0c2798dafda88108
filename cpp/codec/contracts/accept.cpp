#include "codec/contracts/accept.hpp"

#include <cstddef>

namespace turnout::codec {

accepted_answer accept(std::string_view body, std::string_view value, const named_member& model,
                       std::string_view public_model) {
    const auto offset_of = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - body.data()); };
    accepted_answer accepted;
    accepted.begin = offset_of(value);
    accepted.end = accepted.begin + value.size();
    for_each_value(value, "model", model, [&](std::string_view name) {
        if (name != public_model) accepted.edits.push_back({offset_of(name), name.size(), public_model});
    });
    return accepted;
}

} // namespace turnout::codec
