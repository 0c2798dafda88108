#include "config/reader.hpp"

#include <algorithm>
#include <set>

#include "config/known_names.hpp"

namespace turnout::config {
namespace {

std::string member_path(const std::string& parent, std::string_view name) {
    if (name.find('.') != std::string_view::npos) {
        return parent + "[\"" + std::string{name} + "\"]";
    }
    return parent.empty() ? std::string{name} : parent + "." + std::string{name};
}

/// Names of fields are short words; keys and passwords have digits or other signs.
bool is_field_like(std::string_view name) {
    constexpr std::size_t longest = 40;
    return !name.empty() && name.size() <= longest && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    });
}

std::string where(const YAML::Node& node) {
    return "at line " + std::to_string(node.Mark().line + 1) + ", column " + std::to_string(node.Mark().column + 1);
}

void refuse_unknown(const field& map, const YAML::Node& key, const std::vector<member>& members) {
    std::vector<std::string_view> known;
    for (const member& m : members) {
        if (!m.replaced) {
            known.push_back(m.name);
        }
    }
    const std::string all = (known.size() == 1 ? "; known here is " : "; known here are ") + join_names(known);
    if (!key.IsScalar() || !is_field_like(key.Scalar())) {
        map.fail("unknown field " + where(key) + all);
        return;
    }
    const std::string_view meant = nearest_name(key.Scalar(), known);
    map.fail_member(key.Scalar(),
                    "unknown field" + (meant.empty() ? all : "; did you mean `" + std::string{meant} + "`?"));
}

} // namespace

field field::member(std::string_view name, const YAML::Node& value) const {
    return {value, member_path(path_, name), *context_};
}

field field::item(std::size_t index, const YAML::Node& value) const {
    return {value, path_ + "[" + std::to_string(index) + "]", *context_};
}

void field::fail(std::string message) const {
    context_->found.push_back({path_.empty() ? std::string{document_path} : path_, std::move(message)});
}

void field::fail_member(std::string_view name, std::string message) const {
    context_->found.push_back({member_path(path_, name), std::move(message)});
}

void read_map(const field& map, const std::vector<member>& members, const std::vector<std::string_view>& unsupported) {
    if (!map.node().IsMap()) {
        map.fail("must be a map");
        return;
    }
    std::set<std::string, std::less<>> seen;
    for (const auto& entry : map.node()) {
        const YAML::Node& key = entry.first;
        const std::string name = key.IsScalar() ? key.Scalar() : std::string{};
        const auto known =
            std::find_if(members.begin(), members.end(), [&](const member& m) { return m.name == name; });
        const bool is_unsupported = std::find(unsupported.begin(), unsupported.end(), name) != unsupported.end();
        if (known == members.end() && !is_unsupported) {
            refuse_unknown(map, key, members);
        } else if (!seen.insert(name).second) {
            map.fail_member(name, "must be given only once");
        } else if (is_unsupported) {
            map.fail_member(name, std::string{not_supported});
        } else {
            known->read(map.member(name, entry.second));
        }
    }
    for (const member& m : members) {
        if (m.required && !seen.contains(m.name)) {
            map.fail_member(m.name, "is required");
        }
    }
}

void read_sequence(const field& sequence, const std::function<void(const field&, std::size_t)>& read) {
    if (!sequence.node().IsSequence()) {
        sequence.fail("must be a list");
        return;
    }
    std::size_t index = 0;
    for (const YAML::Node& value : sequence.node()) {
        read(sequence.item(index, value), index);
        ++index;
    }
}

} // namespace turnout::config
