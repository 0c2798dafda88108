#include "gateway/served_contract.hpp"

#include "codec/contracts/chat/chat.hpp"

namespace turnout::gateway {

const served_contract& contract_of(contract_kind kind) {
    static const by_contract<served_contract> all{{{
        {contract_kind::chat, codec::chat::instance(), config::transport::chat, "/chat/completions"},
    }}};
    return all[kind];
}

} // namespace turnout::gateway
