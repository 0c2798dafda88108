#include "codec/contracts/chat/chunk_writer.hpp"

#include <algorithm>
#include <cstring>

namespace turnout::codec::chat {
namespace {

bool is_one_line(std::string_view text) {
    return std::memchr(text.data(), '\n', text.size()) == nullptr
           && std::memchr(text.data(), '\r', text.size()) == nullptr;
}

void append_lines(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '\n') {
            out += "\ndata: ";
        } else if (c != '\r') {
            out += c;
        }
    }
}

} // namespace

void write_event(std::string& out, std::string_view data, std::vector<patch>& patches) {
    if (patches.size() > 1) {
        std::sort(patches.begin(), patches.end(),
                  [](const patch& a, const patch& b) { return a.part.data() < b.part.data(); });
    }
    const bool one_line = is_one_line(data);
    const auto append = [&](std::string_view text) {
        if (one_line) {
            out += text;
        } else {
            append_lines(out, text);
        }
    };
    out += "data: ";
    std::size_t from = 0;
    for (const patch& p : patches) {
        const auto offset = static_cast<std::size_t>(p.part.data() - data.data());
        append(data.substr(from, offset - from));
        out += p.text;
        from = offset + p.part.size();
    }
    append(data.substr(from));
    out += "\n\n";
}

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
