#pragma once

#include <optional>

#include "codec/contracts/contract.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {

/// Reads a value; true for a string that is not empty.
bool read_text(json::scanner& s);

/// Reads a part of an item; true if it holds text, a refusal or audio that a client would see.
bool read_part(json::scanner& s);

/// Reads an output item; true if a client would see something of it: a call of a tool (it learns the name by that),
/// reasoning, also encrypted, or a part with output.
bool read_item(json::scanner& s);

/// Reads the items of an answer; true if one has output.
bool read_items(json::scanner& s);

/// Reads a `usage` value; nothing for null, or an object that counts no tokens.
std::optional<token_usage> read_usage(json::scanner& s);

} // namespace turnout::codec::responses
