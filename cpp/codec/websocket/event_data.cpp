#include "codec/websocket/event_data.hpp"

namespace turnout::codec::websocket {

std::string_view take_event_data(std::string_view& events, std::string& joined) {
    constexpr std::string_view field = "data: ";
    std::string_view data;
    int lines = 0;
    while (!events.empty()) {
        const auto end = events.find('\n');
        const std::string_view line = events.substr(0, end);
        events.remove_prefix(end == std::string_view::npos ? events.size() : end + 1);
        if (line.empty()) break;
        if (!line.starts_with(field)) continue;
        if (++lines == 1) {
            data = line.substr(field.size());
            continue;
        }
        if (lines == 2) joined = data;
        joined += '\n';
        joined += line.substr(field.size());
        data = joined;
    }
    return data;
}

} // namespace turnout::codec::websocket
