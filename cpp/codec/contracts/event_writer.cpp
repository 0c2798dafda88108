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

bool is_one_line(std::string_view data) {
    return std::memchr(data.data(), '\n', data.size()) == nullptr
           && std::memchr(data.data(), '\r', data.size()) == nullptr;
}

void begin_event(std::string& out, std::string_view name) {
    if (!name.empty()) {
        out += "event: ";
        out += name;
        out += '\n';
    }
    out += "data: ";
}

void write_part(std::string& out, std::string_view data, std::size_t begin, std::size_t end,
                const std::vector<patch>& patches) {
    for (const patch& p : patches) {
        const auto offset = static_cast<std::size_t>(p.part.data() - data.data());
        if (offset < begin) continue;
        if (offset >= end) break;
        out += data.substr(begin, offset - begin);
        out += p.text;
        begin = offset + p.part.size();
    }
    out += data.substr(begin, end - begin);
}

void end_event(std::string& out) { out += "\n\n"; }

void write_event(std::string& out, std::string_view name, std::string_view data, std::vector<patch>& patches) {
    if (patches.size() > 1) {
        std::sort(patches.begin(), patches.end(),
                  [](const patch& a, const patch& b) { return a.part.data() < b.part.data(); });
    }
    begin_event(out, name);
    if (is_one_line(data)) {
        write_part(out, data, 0, data.size(), patches);
    } else {
        std::string joined;
        write_part(joined, data, 0, data.size(), patches);
        append_lines(out, joined);
    }
    end_event(out);
}

} // namespace turnout::codec
