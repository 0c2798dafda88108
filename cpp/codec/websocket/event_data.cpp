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

void append_event(std::string& events, std::string_view message) {
    constexpr std::string_view field = "data: ";
    events += field;
    // Every line of the data is one of the event, which would end where one is missing.
    for (auto end = message.find_first_of("\r\n"); end != std::string_view::npos; end = message.find_first_of("\r\n")) {
        events.append(message.substr(0, end)).append(1, '\n').append(field);
        message.remove_prefix(end + 1);
    }
    events.append(message).append("\n\n");
}

} // namespace turnout::codec::websocket
