#include "codec/contracts/event_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace turnout::codec {

bool is_event_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return c > ' ' && c <= '~' && c != '"' && c != '\\';
    });
}
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

void write_event(std::string& out, std::string_view name, std::string_view data, std::vector<patch>& patches) {
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
    if (!name.empty()) {
        out += "event: ";
        out += name;
        out += '\n';
    }
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

} // namespace turnout::codec
