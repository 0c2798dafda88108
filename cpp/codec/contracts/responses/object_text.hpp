#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace turnout::codec::responses {

/// A member to set: `value` is JSON.
struct member {
    std::string_view name;
    std::string_view value;
    bool add = true; ///< also where the object has none
};

/// The valid JSON object with these members: in their place, or at its end.
std::string with_members(std::string_view object, std::initializer_list<member> members);

/// The value of a member of a valid JSON object, `missing` if it has none.
std::string_view value_of(std::string_view object, std::string_view name, std::string_view missing = {});

} // namespace turnout::codec::responses
