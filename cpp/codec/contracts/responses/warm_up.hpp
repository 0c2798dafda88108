#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/contracts/responses/socket_request.hpp"

namespace turnout::codec::responses {

/// A turn with `generate: false`: no upstream hears of it. It is answered by an empty response, and a turn that names
/// that response as its previous one gets this input before its own.
class warm_up {
public:
    /// `message` is what `request` was read from; `before` is the warm-up that it names as its previous response, or
    /// null.
    warm_up(std::string id, std::string_view message, const socket_request& request, const warm_up* before);

    const std::string& id() const { return id_; }
    std::size_t size() const { return items_.size() + previous_.size(); }

    /// Whether a request names this response as its previous one.
    bool is_named_by(const contract_request& r) const { return r.previous && r.previous->shown == id_; }
    /// Makes a turn that names this response build on its input instead. The edits view this.
    void precede(std::string_view message, socket_request& turn) const;

    /// Appends the events of the response, the terminal one among them. `created` in seconds since the Unix epoch.
    void write_events(std::string& out, const std::string& public_model, std::int64_t created) const;

private:
    std::string id_;
    std::string items_;    ///< of the input: JSON values with commas between
    std::string previous_; ///< the id of what the input follows, as the client has it; empty if it stands alone
};

} // namespace turnout::codec::responses
