#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"
#include "config/adapter.hpp"

namespace turnout::gateway {

/// The contracts that clients may speak, in the order of their table.
enum class contract_kind { chat, messages, count_tokens, responses, responses_socket, stored_response };
inline constexpr std::array contract_kinds{
    contract_kind::chat,      contract_kind::messages,         contract_kind::count_tokens,
    contract_kind::responses, contract_kind::responses_socket, contract_kind::stored_response};

/// One value of each contract.
template <class Value>
struct by_contract {
    std::array<Value, contract_kinds.size()> values{};

    Value& operator[](contract_kind k) { return values[static_cast<std::size_t>(k)]; }
    const Value& operator[](contract_kind k) const { return values[static_cast<std::size_t>(k)]; }
};

/// What serving a contract takes beside its codec.
struct served_contract {
    contract_kind kind;
    const codec::contract& protocol;
    config::transport transport; ///< that carries it
    std::string_view operation;  ///< its path at upstreams, after the base URL and what the adapter puts there
    bool anthropic = false;      ///< a protocol of Anthropic's, which has headers of its own
    bool optional = false;       ///< upstreams that carry the transport may still lack it
    bool generates = true;       ///< how it ends says how well a deployment does what it is for
    /// What the ids begin with under which clients come back to an answer; empty: it has none, and shows the upstream's.
    std::string_view id_prefix = {};
    bool socket = false; ///< over a WebSocket: no head is held, and each error has its status
};

/// Whether clients of some contract over this transport come back to answers by their ids.
bool keeps_ids(config::transport t);

/// Static.
const served_contract& contract_of(contract_kind kind);

} // namespace turnout::gateway
