#pragma once

#include <llhttp.h>

#include "codec/http1_rules.hpp"

namespace turnout::codec::http1 {

/// What llhttp found wrong, in our words. For `parser` alone.
refusal refusal_for(llhttp_errno_t code);

} // namespace turnout::codec::http1
