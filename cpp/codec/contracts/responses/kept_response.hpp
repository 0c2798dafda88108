#pragma once

#include <string>
#include <string_view>

#include "codec/contracts/responses/response_object.hpp"

namespace turnout::codec::responses {

/// The last Response object of a stream and what was read in it: streams begin with the same one twice.
class kept_response {
public:
    kept_response() = default;
    kept_response(const kept_response&) = delete;
    kept_response& operator=(const kept_response&) = delete;

    /// `read`: of an object in an event that was valid as a whole.
    void keep(const response_facts& read);

    std::string_view text() const { return text_; }
    /// What `keep` was given, as read in an equal text that begins there.
    response_facts read_at(const char* begin) const;

private:
    std::string text_;
    response_facts facts_; ///< views into `text_`
};

} // namespace turnout::codec::responses
