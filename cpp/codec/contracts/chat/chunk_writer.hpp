#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace turnout::codec::chat {

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
