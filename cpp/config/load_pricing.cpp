#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t most_cents = 1'000'000'000;

member cents(std::string_view name, std::optional<double>& target) {
    return {name, [&target](const field& f) { target = read_number(f, most_cents); }};
}

} // namespace

void load_pricing(const field& section, routing::pricing& pricing) {
    if (section.node().IsNull()) { // unknown, as if the field were absent
        return;
    }
    read_map(section,
             {
                 cents("inputCentsPerMTokens", pricing.input_cents_per_mtokens),
                 cents("outputCentsPerMTokens", pricing.output_cents_per_mtokens),
                 cents("searchUnitCents", pricing.search_unit_cents),
             },
             {"audioInputCentsPerMinute", "cacheReadCentsPerMTokens", "cacheWriteCentsPerMTokens",
              "cacheWriteCentsPerMTokensByTtl", "tiers"});
}

} // namespace turnout::config
