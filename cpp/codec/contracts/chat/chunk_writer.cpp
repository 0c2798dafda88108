#include "codec/contracts/chat/chunk_writer.hpp"

namespace turnout::codec::chat {

void write_chunk(std::string& out, const chunk_envelope& envelope, std::string_view choices, std::string_view rest) {
    out += R"(data: {"id":)";
    out += envelope.id;
    out += R"(,"object":"chat.completion.chunk","created":)";
    out += envelope.created;
    out += R"(,"model":)";
    out += envelope.model;
    out += R"(,"choices":)";
    out += choices;
    out += rest;
    out += "}\n\n";
}

void write_role_chunk(std::string& out, const chunk_envelope& envelope, std::int64_t index) {
    write_chunk(out, envelope,
                R"([{"index":)" + std::to_string(index)
                    + R"(,"delta":{"role":"assistant","content":""},"finish_reason":null}])");
}

void write_finish_chunk(std::string& out, const chunk_envelope& envelope, std::int64_t index, std::string_view reason) {
    std::string choices = R"([{"index":)" + std::to_string(index) + R"(,"delta":{},"finish_reason":")";
    choices += reason;
    choices += "\"}]";
    write_chunk(out, envelope, choices);
}

} // namespace turnout::codec::chat
