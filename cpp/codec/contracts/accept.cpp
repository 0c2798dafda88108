#include "codec/contracts/accept.hpp"

#include <cstddef>

namespace turnout::codec {

accepted_answer accept(std::string_view body, std::string_view value, std::string_view model,
                       std::string_view public_model) {
    const auto offset_of = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - body.data()); };
    accepted_answer accepted;
    accepted.begin = offset_of(value);
    accepted.end = accepted.begin + value.size();
    if (!model.empty() && model != public_model)
        accepted.edits.push_back({offset_of(model), model.size(), public_model});
    return accepted;
}

} // namespace turnout::codec
