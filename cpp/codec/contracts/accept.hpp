#pragma once

#include <string_view>

#include "codec/contracts/contract.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec {

/// Whether a JSON value, as it is written, is a string that is not empty.
inline bool is_text(std::string_view value) { return value.size() > 2 && value.front() == '"'; }

/// A string member that the client sees replaced. An object that has it twice has it replaced twice, since clients differ
/// in which they read.
struct named_member {
    std::string_view value; ///< not empty, quotes included; of several the last
    bool again = false;

    void found(std::string_view v) {
        again = again || !value.empty();
        value = v;
    }
};

/// Calls `visit` with the strings that `name` is in the valid JSON object `object`, given one of them.
template <class Visit>
void for_each_value(std::string_view object, std::string_view name, const named_member& known, Visit visit) {
    if (known.value.empty()) return;
    if (!known.again) {
        visit(known.value);
        return;
    }
    json::scanner s(object);
    json::string_token found;
    std::string_view value;
    s.begin_object();
    while (s.next_member(found) && s.skip(value)) {
        if (found.equals(name) && is_text(value)) visit(value);
    }
}

/// An answer that is the JSON object `value` of `body`, blank space around it dropped. Its model is replaced by
/// `public_model`, a JSON string that the edit views.
accepted_answer accept(std::string_view body, std::string_view value, const named_member& model,
                       std::string_view public_model);

} // namespace turnout::codec
