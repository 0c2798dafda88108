#include "codec/contracts/messages/block.hpp"

#include "codec/contracts/accept.hpp"

namespace turnout::codec::messages {

block_facts read_block(json::scanner& s) {
    bool text = false;
    std::string_view type;
    json::string_token name;
    std::string_view value;
    s.begin_object();
    while (s.next_member(name) && s.skip(value)) {
        if (name.equals("type")) {
            type = value;
        } else if (name.equals("text") || name.equals("thinking") || name.equals("signature")) {
            text = is_text(value) || text;
        }
    }
    const bool plain = !is_text(type) || type == R"("text")" || type == R"("thinking")";
    return {type == R"("tool_use")", text || !plain};
}

delta_facts read_delta(json::scanner& s) {
    delta_facts facts;
    if (s.peek() != json::kind::object) {
        s.skip();
        return facts;
    }
    facts.present = true;
    json::string_token name;
    std::string_view value;
    s.begin_object();
    while (s.next_member(name) && s.skip(value)) {
        if (name.equals("stop_reason")) {
            facts.finish = is_text(value);
        } else if (name.equals("signature")) {
            facts.signature = is_text(value);
        } else if (!name.equals("type")) {
            if (!is_text(value)) continue;
            (name.equals("partial_json") ? facts.input : facts.plain) = value.substr(1, value.size() - 2);
            facts.text = true;
        }
    }
    return facts;
}

} // namespace turnout::codec::messages
