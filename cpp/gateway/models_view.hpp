#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "codec/contracts/contract.hpp"
#include "gateway/public_model.hpp"

namespace turnout::gateway {

/// The body of `GET /v1/models` in OpenAI's shape: every public model, by name.
std::string openai_models(const public_models& models);
/// That of `GET /v1/models/{model}`.
std::string openai_model(const public_models::value_type& model);

/// Which part of the list is wanted.
struct model_page {
    std::size_t limit = 20;              ///< 1 to 1000
    public_models::const_iterator begin; ///< those from here ..
    public_models::const_iterator end;   ///< .. to here, not including it, are asked for
    bool from_the_end = false;           ///< the last of them are shown instead of the first
};

/// Reads `limit`, `after_id` and `before_id` from a target's query; other parameters play no part.
std::variant<model_page, codec::public_error> read_model_page(std::string_view target, const public_models& models);

/// The same bodies in Anthropic's shape; `has_more` is about the direction in which the page was asked for.
std::string anthropic_models(const model_page& page);
std::string anthropic_model(std::string_view name);

} // namespace turnout::gateway
