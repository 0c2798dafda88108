#pragma once

#include <string_view>

namespace turnout::gateway {

/// What a client asks about a response that it was given before. Views of the request's head.
struct stored_call {
    std::string_view method; ///< empty: the request is for a new answer
    std::string_view id;     ///< as the client has it
    std::string_view below;  ///< `/input_items`, `/cancel`, or nothing
    std::string_view query;  ///< without its question mark

    explicit operator bool() const { return !method.empty(); }
    /// What the operation log calls it.
    std::string_view call_type() const {
        if (below == "/input_items") return "responses.input_items";
        if (below == "/cancel") return "responses.cancel";
        return method == "DELETE" ? "responses.delete" : "responses.retrieve";
    }
};

} // namespace turnout::gateway
