#pragma once

#include <cstdint>
#include <optional>

#include "codec/contracts/contract.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::messages {

/// The members of a `usage` object that count tokens, which do not overlap: `input` leaves out both cache counts.
struct usage_counts {
    std::optional<std::int64_t> input;
    std::optional<std::int64_t> cache_creation;
    std::optional<std::int64_t> cache_read;
    std::optional<std::int64_t> output;

    /// Takes over what a later object counts: all of them are totals so far.
    void overlay(const usage_counts& later);

    /// Prompt = input and both cache counts; nothing if nothing was counted.
    std::optional<token_usage> total() const;
};

/// Reads a `usage` value. What is no object counts nothing.
usage_counts read_usage(json::scanner& s);

} // namespace turnout::codec::messages
