#pragma once

#include <string_view>

#include "codec/contracts/contract.hpp"
#include "gateway/served_contract.hpp"
#include "net/exchange.hpp"

namespace turnout::gateway {

/// An error of `invalid_request_error`. An empty code or param becomes null.
codec::public_error invalid(int status, std::string_view code, std::string_view message, std::string_view param = {});

/// `what` was to be percent-encoded, and is not.
codec::public_error broken_encoding(std::string_view what, std::string_view param = {});

codec::public_error overload(net::shortage what);
/// To what comes while the server waits for what runs to end.
codec::public_error shutting_down();

/// The answer that says `e` in the shape of a contract. `extra` are further header lines.
net::refusal refuse(const served_contract& shape, std::string_view request_id, const codec::public_error& e,
                    std::string_view extra = {});
/// In OpenAI's shape.
net::refusal refuse(std::string_view request_id, const codec::public_error& e, std::string_view extra = {});

void send(const net::exchange_ptr& x, const net::refusal& r);

} // namespace turnout::gateway
