#pragma once

#include <optional>

#include "config/configuration.hpp"
#include "config/reader.hpp"

namespace turnout::config {

/// What a deployment's credentials have, well-formed or not, so that an ill-formed member is not also called missing.
struct given_credentials {
    std::optional<field> section;
    bool api_key = false;
    bool base_url = false;
    bool version = false;
    bool headers = false;
};

void load_credentials(const field& section, deployment& d, given_credentials& given);

/// What the deployment's adapter cannot work without, what it can supply itself, and what it has no use for.
void complete_credentials(const field& deployment_section, deployment& d, const given_credentials& given);

} // namespace turnout::config
