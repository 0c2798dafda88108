#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace turnout::codec {

/// Replace a part of an event's data (an empty part: insert there) by `text`. Both are views, since events are too many
/// for strings of their own.
struct patch {
    std::string_view part;
    std::string_view text;
};

/// Whether an upstream's text can be an event's name: it becomes a line of its own and a JSON string, so it is nothing
/// but visible ASCII without quotes and backslashes.
bool is_event_name(std::string_view text);

/// Appends one event with this name (none if empty) and data. `patches` get sorted. Line breaks, which JSON allows
/// between tokens, become further `data` lines, or vanish where they would break the framing.
void write_event(std::string& out, std::string_view name, std::string_view data, std::vector<patch>& patches);

// What `write_event` does, in steps, for data in one line.

bool is_one_line(std::string_view data);
void begin_event(std::string& out, std::string_view name);
/// Appends the data from `begin` to `end`, with the patches that lie there. They are sorted.
void write_part(std::string& out, std::string_view data, std::size_t begin, std::size_t end,
                const std::vector<patch>& patches);
void end_event(std::string& out);

} // namespace turnout::codec
