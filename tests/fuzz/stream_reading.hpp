#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::fuzz {

/// Options whose fallback values a test recognises.
codec::tracker_options tracking(std::string_view public_model, unsigned n, bool wants_usage);

/// One attempt's stream as its client sees it.
struct stream_reading {
    std::string out; ///< everything that the client gets
    bool complete = false;
    std::string told; ///< classes, failure, usage and anomalies
    bool operator==(const stream_reading&) const = default;
};

/// Reads an upstream's stream in pieces, as the gateway does.
stream_reading read_stream(const codec::contract& protocol, std::string_view bytes, std::size_t piece_size,
                           codec::tracker_options options);

/// Reads it whole, in pieces, byte by byte, and event by event without regard to the last one, and demands that all are
/// the same.
stream_reading read_stream_in_all_ways(const codec::contract& protocol, std::string_view bytes, std::size_t piece_size,
                                       const codec::tracker_options& options);

/// Demands that a whole chat stream is what a client may see: payloads of JSON with the public model in them, then the end
/// marker, and nothing that would be changed if it were relayed once more.
void check_chat_stream(std::string_view out, std::string_view public_model, unsigned n, bool wants_usage);

} // namespace turnout::fuzz
