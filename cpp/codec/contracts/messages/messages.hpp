#pragma once

#include "codec/contracts/contract.hpp"

namespace turnout::codec::messages {

/// The Anthropic messages protocol.
const contract& instance();

/// Its counting of a request's tokens: JSON only, answered with `{"input_tokens": n}`, which is nobody's usage.
const contract& count_tokens_instance();

} // namespace turnout::codec::messages
