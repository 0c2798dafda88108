#include "codec/contracts/chat/output.hpp"

#include <algorithm>

#include "codec/contracts/openai_usage.hpp"
#include "codec/contracts/provider_error.hpp"

namespace turnout::codec::chat {
namespace {

bool has_text(json::scanner& s);

bool part_has_text(json::scanner& s) {
    bool found = false;
    json::string_token name;
    if (!s.begin_object()) return false;
    while (s.next_member(name)) {
        if (name.equals("text") || name.equals("thinking")) {
            found = has_text(s) || found;
        } else {
            s.skip();
        }
    }
    return found;
}

/// Text comes as a string, or as parts (which nest once: a thinking part holds text parts).
bool has_text(json::scanner& s) {
    switch (s.peek()) {
    case json::kind::string: {
        json::string_token value;
        return s.read_string(value) && !value.empty();
    }
    case json::kind::array: {
        bool found = false;
        if (!s.begin_array()) return false;
        while (s.next_element()) found = has_text(s) || found;
        return found;
    }
    case json::kind::object: return part_has_text(s);
    case json::kind::number:
    case json::kind::boolean:
    case json::kind::null:
    case json::kind::none: break;
    }
    s.skip();
    return false;
}

bool has_elements(json::scanner& s) {
    if (s.peek() != json::kind::array) {
        s.skip();
        return false;
    }
    bool found = false;
    if (!s.begin_array()) return false;
    while (s.next_element()) found = s.skip() || found;
    return found;
}

bool has_audio(json::scanner& s) {
    if (s.peek() != json::kind::object) {
        s.skip();
        return false;
    }
    bool found = false;
    json::string_token name;
    if (!s.begin_object()) return false;
    while (s.next_member(name)) {
        if (name.equals("data") || name.equals("transcript")) {
            found = has_text(s) || found;
        } else {
            s.skip();
        }
    }
    return found;
}

void read_text(json::scanner& s, output_facts& facts) {
    if (s.peek() != json::kind::string) {
        facts.semantic = has_text(s) || facts.semantic;
        return;
    }
    json::string_token value;
    if (!s.read_string(value) || value.empty()) return;
    facts.semantic = true;
    facts.text = value.raw;
}

void read_role(json::scanner& s, output_facts& facts) {
    std::string_view value;
    if (!s.skip(value)) return;
    facts.has_role = value.front() == '"' && value.size() > 2;
    if (!facts.has_role) facts.blank_role = value;
}

void read_output_member(json::scanner& s, const json::string_token& name, output_facts& facts) {
    if (name.equals("content") || name.equals("reasoning_content") || name.equals("reasoning")
        || name.equals("thinking") || name.equals("refusal")) {
        read_text(s, facts);
    } else if (name.equals("role")) {
        read_role(s, facts);
    } else if (name.equals("tool_calls")) {
        facts.tool_calls = has_elements(s) || facts.tool_calls;
    } else if (name.equals("function_call")) {
        facts.function_call = s.peek() == json::kind::object || facts.function_call;
        s.skip();
    } else if (name.equals("reasoning_details") || name.equals("thinking_blocks") || name.equals("images")) {
        facts.semantic = has_elements(s) || facts.semantic;
    } else if (name.equals("audio")) {
        facts.semantic = has_audio(s) || facts.semantic;
    } else {
        s.skip();
    }
}

} // namespace

output_facts read_output(json::scanner& s) {
    output_facts facts;
    json::string_token name;
    if (!s.begin_object()) return facts;
    while (s.next_member(name)) {
        facts.empty = false;
        read_output_member(s, name, facts);
    }
    facts.semantic = facts.semantic || facts.tool_calls || facts.function_call;
    return facts;
}

std::optional<token_usage> read_usage(json::scanner& s) {
    return read_openai_usage(s, "prompt_tokens", "completion_tokens");
}

groq_facts read_groq(json::scanner& s) {
    groq_facts facts;
    if (s.peek() != json::kind::object) {
        s.skip();
        return facts;
    }
    json::string_token name;
    s.begin_object();
    while (s.next_member(name)) {
        const json::kind kind = s.peek();
        json::scanner ahead = s;
        std::string_view value;
        if (!s.skip(value)) break;
        if (name.equals("usage") && kind != json::kind::null) {
            facts.usage_value = value;
            facts.usage = read_usage(ahead);
        } else if (name.equals("error")) {
            facts.error = is_error_value(kind, value);
        }
    }
    return facts;
}

} // namespace turnout::codec::chat
