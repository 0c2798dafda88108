#include "codec/contracts/responses/output.hpp"

#include <algorithm>
#include <string_view>

#include "codec/contracts/openai_usage.hpp"

namespace turnout::codec::responses {
namespace {

/// Reads an array; true if `read` said so of an element.
template <class Read>
bool read_any(json::scanner& s, Read read) {
    if (s.peek() != json::kind::array) {
        s.skip();
        return false;
    }
    bool found = false;
    s.begin_array();
    while (s.next_element()) found = read(s) || found;
    return found;
}

/// The calls of all tools, their results, and what asks the client for leave. A list of tools is none of them.
bool is_tool_item(std::string_view type) {
    return type.find("_call") != type.npos || type.ends_with("_approval_request");
}

} // namespace

bool read_text(json::scanner& s) {
    json::string_token value;
    if (s.peek() != json::kind::string) {
        s.skip();
        return false;
    }
    return s.read_string(value) && !value.empty();
}

bool read_part(json::scanner& s) {
    if (s.peek() != json::kind::object) {
        s.skip();
        return false;
    }
    bool found = false;
    json::string_token name;
    s.begin_object();
    while (s.next_member(name)) {
        if (name.equals("text") || name.equals("refusal") || name.equals("transcript") || name.equals("data")) {
            found = read_text(s) || found;
        } else {
            s.skip();
        }
    }
    return found;
}

bool read_item(json::scanner& s) {
    if (s.peek() != json::kind::object) {
        s.skip();
        return false;
    }
    bool found = false;
    json::string_token name;
    s.begin_object();
    while (s.next_member(name)) {
        if (name.equals("content") || name.equals("summary")) {
            found = read_any(s, read_part) || found;
        } else if (name.equals("encrypted_content")) {
            found = read_text(s) || found;
        } else if (name.equals("type") && s.peek() == json::kind::string) {
            json::string_token type;
            found = (s.read_string(type) && is_tool_item(type.raw)) || found;
        } else {
            s.skip();
        }
    }
    return found;
}

bool read_items(json::scanner& s) { return read_any(s, read_item); }

std::optional<token_usage> read_usage(json::scanner& s) {
    return read_openai_usage(s, "input_tokens", "output_tokens");
}

} // namespace turnout::codec::responses
