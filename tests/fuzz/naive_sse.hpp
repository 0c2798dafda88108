#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace turnout::fuzz {

struct naive_event {
    std::string name;
    std::string data;
    bool has_data = false;
    bool operator==(const naive_event&) const = default;
};

/// The events of a whole stream, read line by line as the HTML standard tells it. Unlike there, a last event without a
/// blank line counts, and so does a block with nothing but a name.
inline std::vector<naive_event> read_naively(std::string_view stream) {
    std::vector<naive_event> events;
    naive_event current;
    const auto end_block = [&] {
        if (current.has_data || !current.name.empty()) events.push_back(current);
        current = {};
    };
    if (stream.starts_with("\xEF\xBB\xBF")) stream.remove_prefix(3);
    while (!stream.empty()) {
        const auto end = stream.find_first_of("\r\n");
        const std::string_view line = stream.substr(0, end);
        stream.remove_prefix(line.size());
        stream.remove_prefix(stream.starts_with("\r\n") ? 2 : stream.empty() ? 0 : 1);
        if (line.empty()) {
            end_block();
            continue;
        }
        const auto colon = line.find(':');
        const std::string_view field = line.substr(0, colon);
        std::string_view value = colon == line.npos ? std::string_view{} : line.substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        if (field == "event") current.name = value;
        if (field == "data") {
            if (current.has_data) current.data += '\n';
            current.data += value;
            current.has_data = true;
        }
    }
    end_block();
    return events;
}

} // namespace turnout::fuzz
