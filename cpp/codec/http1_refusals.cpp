#include "codec/http1_refusals.hpp"

namespace turnout::codec::http1 {

refusal refusal_for(llhttp_errno_t code) {
    // Not a switch: the releases of llhttp name different codes for the same fault.
    if (code == HPE_INVALID_VERSION) {
        return {problem_kind::version, "The version is not HTTP/1.0 or HTTP/1.1."};
    }
    if (code == HPE_PAUSED_UPGRADE || code == HPE_PAUSED_H2_UPGRADE) {
        return {problem_kind::upgrade, "The connection cannot change to another protocol."};
    }
    if (code == HPE_INVALID_CONTENT_LENGTH || code == HPE_UNEXPECTED_CONTENT_LENGTH) {
        return {problem_kind::framing, "Content-Length is not a number, or not the only framing header."};
    }
    if (code == HPE_INVALID_TRANSFER_ENCODING) {
        return {problem_kind::framing, "The only transfer coding supported is chunked, once."};
    }
    if (code == HPE_INVALID_CHUNK_SIZE) {
        return {problem_kind::framing, "A chunk's size is not valid."};
    }
    return {problem_kind::malformed, "The message is not valid HTTP/1.1."};
}

} // namespace turnout::codec::http1
