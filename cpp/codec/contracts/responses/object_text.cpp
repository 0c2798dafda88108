#include "codec/contracts/responses/object_text.hpp"

#include "base/edit.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {

std::string with_members(std::string_view object, std::initializer_list<member> members) {
    base::edit_list edits;
    json::scanner s(object);
    json::string_token name;
    std::string_view value;
    std::string added;
    bool empty = true;
    s.begin_object();
    while (s.next_member(name) && s.skip(value)) {
        empty = false;
        for (const member& m : members) {
            if (name.equals(m.name)) edits.push_back({s.offset_of(value), value.size(), m.value});
        }
    }
    for (const member& m : members) {
        if (!m.add || !value_of(object, m.name).empty()) continue;
        if (!empty) added += ',';
        empty = false;
        added.append("\"").append(m.name).append("\":").append(m.value);
    }
    edits.push_back({object.find_last_of('}'), 0, added});
    std::string out;
    apply(object, edits, out);
    return out;
}

std::string_view value_of(std::string_view object, std::string_view name, std::string_view missing) {
    json::scanner s(object);
    json::string_token found;
    std::string_view value;
    std::string_view result = missing;
    if (!s.begin_object()) return missing;
    while (s.next_member(found) && s.skip(value)) {
        if (found.equals(name)) result = value;
    }
    return result;
}

} // namespace turnout::codec::responses
