#pragma once

#include <string_view>

namespace turnout::gateway {

/// What a client asks about a response that it was given before. Views of the request's head.
struct stored_call {
    std::string_view method; ///< empty: the request is for a new answer
    std::string_view id;     ///< as it stands in the path, maybe percent-encoded
    std::string_view below;  ///< `/input_items`, `/cancel`, or nothing
    std::string_view query;  ///< without its question mark

    explicit operator bool() const { return !method.empty(); }
    bool deletes() const { return method == "DELETE"; }
    /// What the operation log calls it.
    std::string_view call_type() const {
        if (below == "/input_items") return "responses.input_items";
        if (below == "/cancel") return "responses.cancel";
        return deletes() ? "responses.delete" : "responses.retrieve";
    }
};

} // namespace turnout::gateway
