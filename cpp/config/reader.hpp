#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "config/load.hpp"

namespace turnout::config {

inline constexpr std::string_view not_supported = "not supported by this version";

/// The path of the document as a whole.
inline constexpr std::string_view document_path = "(document)";

/// What all readers of one document share.
struct load_context {
    const environment& env;
    const file_checks& files;
    problems& found;
};

/// One value of the document and the path that leads to it.
class field {
public:
    field(const YAML::Node& node, std::string path, load_context& context)
        : node_(node), path_(std::move(path)), context_(&context) {}

    const YAML::Node& node() const { return node_; }
    const std::string& path() const { return path_; }
    const environment& env() const { return context_->env; }
    const file_checks& files() const { return context_->files; }

    field member(std::string_view name, const YAML::Node& value) const;
    field item(std::size_t index, const YAML::Node& value) const;

    void fail(std::string message) const;
    void fail_member(std::string_view name, std::string message) const;

private:
    YAML::Node node_;
    std::string path_;
    load_context* context_;
};

/// A member that a map may have, and who reads it.
struct member {
    std::string_view name;
    std::function<void(const field&)> read;
    bool required = false;
    bool replaced = false; ///< known from earlier releases, and refused by its reader
};

/// Hands each member of a map to its reader, in the order of the document. Refuses what is no map, repeated members,
/// missing required ones, those in `unsupported` (known, but without effect yet) and all others, with the member that was
/// probably meant or else all that there are. A member's unknown name is shown only if it cannot be a credential that
/// slipped into the wrong place.
void read_map(const field& map, const std::vector<member>& members,
              const std::vector<std::string_view>& unsupported = {});

/// Hands each item of a sequence to `read`. Refuses what is no sequence.
void read_sequence(const field& sequence, const std::function<void(const field&, std::size_t)>& read);

} // namespace turnout::config
