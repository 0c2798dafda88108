#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace turnout::codec::chat {

/// Replace a part of a frame's data (an empty part: insert there) by `text`. Both are views, since frames are too many
/// for strings of their own.
struct patch {
    std::string_view part;
    std::string_view text;
};

/// Appends one event with this data. `patches` get sorted. Line breaks, which JSON allows between tokens, become
/// further `data` lines, or vanish where they would break the framing.
void write_event(std::string& out, std::string_view data, std::vector<patch>& patches);

/// What every chunk of a stream has in common, as JSON values.
struct chunk_envelope {
    std::string id;
    std::string created;
    std::string model;
};

/// Appends an event whose chunk has these `choices` (a JSON array) and further members (`rest`, with its comma).
void write_chunk(std::string& out, const chunk_envelope& envelope, std::string_view choices,
                 std::string_view rest = {});

void write_role_chunk(std::string& out, const chunk_envelope& envelope, std::int64_t index);
void write_finish_chunk(std::string& out, const chunk_envelope& envelope, std::int64_t index, std::string_view reason);

inline constexpr std::string_view end_marker = "[DONE]";

} // namespace turnout::codec::chat
