#include "config/document.hpp"

#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "codec/utf8.hpp"
#include "config/json_text.hpp"
#include "config/reader.hpp"

namespace turnout::config {
namespace {

problem document_problem(std::string message) { return {std::string{document_path}, std::move(message)}; }

std::string where(const YAML::Mark& mark) {
    return "line " + std::to_string(mark.line + 1) + ", column " + std::to_string(mark.column + 1);
}

/// The parser's own sentence without what follows a colon, where it quotes the text.
std::string sentence(const std::string& message) { return message.substr(0, message.find(':')); }

} // namespace

std::variant<YAML::Node, problem> parse_document(std::string_view text) {
    if (!codec::is_utf8(text)) {
        return document_problem("must be UTF-8");
    }
    const std::string joined = join_surrogate_pairs(text);
    std::vector<YAML::Node> documents;
    try {
        documents = YAML::LoadAll(joined);
        // To the parser a line break at the end closes a quotation that nothing else closes.
        YAML::LoadAll(joined.substr(0, joined.find_last_not_of(" \t\r\n") + 1));
    } catch (const YAML::Exception& fault) {
        return document_problem("is not valid YAML at " + where(fault.mark) + ": " + sentence(fault.msg));
    }
    if (documents.size() > 1) {
        return document_problem("must be a single document");
    }
    if (documents.empty() || !documents.front().IsMap()) {
        return document_problem("must be a map");
    }
    return documents.front();
}

} // namespace turnout::config
