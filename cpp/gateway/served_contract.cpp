#include "gateway/served_contract.hpp"

#include <algorithm>

#include "codec/contracts/chat/chat.hpp"
#include "codec/contracts/messages/messages.hpp"
#include "codec/contracts/responses/responses.hpp"
#include "codec/contracts/responses/socket.hpp"

namespace turnout::gateway {

const served_contract& contract_of(contract_kind kind) {
    static const by_contract<served_contract> all{{{
        {contract_kind::chat, codec::chat::instance(), config::transport::chat, "/chat/completions"},
        {contract_kind::messages, codec::messages::instance(), config::transport::messages, "/messages", true},
        {contract_kind::count_tokens, codec::messages::count_tokens_instance(), config::transport::messages,
         "/messages/count_tokens", true, true, false},
        {contract_kind::responses, codec::responses::instance(), config::transport::responses, "/responses", false,
         false, true, "resp_"},
        {.kind = contract_kind::responses_socket,
         .protocol = codec::responses::socket_instance(),
         .transport = config::transport::responses,
         .operation = "/responses",
         .id_prefix = "resp_",
         .socket = true},
        {.kind = contract_kind::stored_response,
         .protocol = codec::responses::stored_instance(),
         .transport = config::transport::responses,
         .operation = "/responses",
         .optional = true,
         .generates = false,
         .id_prefix = "resp_"},
    }}};
    return all[kind];
}

bool keeps_ids(config::transport t) {
    return std::any_of(contract_kinds.begin(), contract_kinds.end(), [t](contract_kind kind) {
        const auto& c = contract_of(kind);
        return c.transport == t && !c.id_prefix.empty();
    });
}

} // namespace turnout::gateway
