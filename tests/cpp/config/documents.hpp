#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/load.hpp"

namespace turnout::config {

/// The environment of all tests here.
inline std::optional<std::string> test_environment(const std::string& name) {
    static const std::map<std::string, std::string> variables{
        {"A_KEY", "sk-a-1"},  {"EMPTY", ""},          {"HOST", "127.0.0.1"}, {"LINES", "two\nlines"},
        {"LATIN", "caf\xE9"}, {"NESTED", "${A_KEY}"}, {"_x9", "nine"},
    };
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional{found->second};
}

inline std::variant<configuration, problems> load_text(std::string_view text) { return load(text, test_environment); }

/// Every problem as the command line prints it; none for a valid document.
inline std::vector<std::string> problems_of(std::string_view text) {
    std::vector<std::string> lines;
    const auto result = load_text(text);
    if (const auto* found = std::get_if<problems>(&result)) {
        for (const problem& p : *found) {
            lines.push_back(p.path + ": " + p.message);
        }
    }
    return lines;
}

/// A deployment as flow map with `more` members, such as `, weight: 0`.
inline std::string deployment_with(std::string_view more) {
    return "{publicModel: gpt, adapterKey: openaicompatible, upstreamModel: up, credentials: {baseUrl: 'http://h'}"
           + std::string{more} + "}";
}

/// A valid document whose only deployment has `more` members.
inline std::string document_with_deployment(std::string_view more) {
    return "deployments: [" + deployment_with(more) + "]\n";
}

/// A valid deployment and, before it, what a test adds.
inline std::string document_with(std::string_view section) {
    return std::string{section} + "\n" + document_with_deployment("");
}

/// One row of a table: a document and all that is wrong with it.
struct refusal {
    std::string name; ///< shown if the row fails
    std::string document;
    std::vector<std::string> lines; ///< empty: the document is valid
};

inline void PrintTo(const refusal& row, std::ostream* out) { *out << row.name; }

} // namespace turnout::config
