#pragma once

#include <optional>
#include <span>
#include <vector>

namespace turnout::routing {

/// Prices of a deployment in US cents; nothing is unknown.
struct pricing {
    std::optional<double> input_cents_per_mtokens;
    std::optional<double> output_cents_per_mtokens;
    std::optional<double> search_unit_cents;
};

/// One number per deployment of a pool, all on one billing basis, or nothing if that cannot be had. Outside rerank:
/// input plus output cents per million tokens. In rerank: the single basis that every deployment declares, search
/// units or tokens; a deployment that declares both, or none, makes the pool incomparable. A rate for tokens is known
/// if both of its parts are, of which 0 is one like any other.
std::optional<std::vector<double>> comparable_prices(std::span<const pricing> pool, bool rerank);

} // namespace turnout::routing
