#include "routing/price.hpp"

#include <cmath>

namespace turnout::routing {

namespace {

enum class basis { none, tokens, search_units, both };

basis basis_of(const pricing& p) {
    const bool tokens = p.input_cents_per_mtokens || p.output_cents_per_mtokens;
    if (p.search_unit_cents) return tokens ? basis::both : basis::search_units;
    return tokens ? basis::tokens : basis::none;
}

/// To a billionth of a cent: decimals that are equal on paper need not be so as sums of binary fractions.
double rounded(double cents) { return std::round(cents * 1e9) / 1e9; }

std::optional<double> token_rate(const pricing& p) {
    if (!p.input_cents_per_mtokens || !p.output_cents_per_mtokens) return std::nullopt;
    return rounded(*p.input_cents_per_mtokens + *p.output_cents_per_mtokens);
}

std::optional<double> rate(const pricing& p, basis in) {
    switch (in) {
    case basis::tokens: return token_rate(p);
    case basis::search_units: return p.search_unit_cents;
    case basis::none:
    case basis::both: return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::vector<double>> comparable_prices(std::span<const pricing> pool, bool rerank) {
    std::vector<double> prices;
    prices.reserve(pool.size());
    for (const pricing& p : pool) {
        if (rerank && basis_of(p) != basis_of(pool.front())) return std::nullopt;
        const auto price = rate(p, rerank ? basis_of(p) : basis::tokens);
        if (!price || !std::isfinite(*price)) return std::nullopt;
        prices.push_back(*price);
    }
    return prices;
}

} // namespace turnout::routing
