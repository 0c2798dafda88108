#include "routing/strategy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include "routing/selection.hpp"

namespace turnout::routing {

namespace {

constexpr std::array<std::pair<strategy, std::string_view>, 8> names{{
    {strategy::simple_shuffle, "simple-shuffle"},
    {strategy::least_busy, "least-busy"},
    {strategy::usage_based_rpm, "usage-based-rpm"},
    {strategy::usage_based_tpm, "usage-based-tpm"},
    {strategy::latency_based, "latency-based"},
    {strategy::throughput_based, "throughput-based"},
    {strategy::price_based, "price-based"},
    {strategy::health_aware, "health-aware"},
}};

/// A position with what it is ranked by; the lowest comes first.
struct ranked {
    double key;
    position who;
};

std::optional<double> negated(std::optional<double> value) {
    if (value) *value = -*value;
    return value;
}

std::optional<double> health_key(const candidate& who, const deployment_snapshot& values) {
    if (who.weight == 0) return std::nullopt;
    return -values.health() * who.weight;
}

/// What `p` is ranked by; nothing leaves it to the weighted draw, behind all that have a key. `recorded`: somebody
/// among those who are ranked has a record of health.
std::optional<double> key_of(strategy s, const ranking& pool, position p, bool recorded) {
    switch (s) {
    case strategy::simple_shuffle: return std::nullopt;
    case strategy::least_busy: return pool.values[p].in_flight;
    case strategy::usage_based_rpm: return static_cast<double>(pool.values[p].rpm);
    case strategy::usage_based_tpm: return static_cast<double>(pool.values[p].tpm);
    case strategy::latency_based: return pool.values[p].latency_ms;
    case strategy::throughput_based: return negated(pool.values[p].throughput);
    case strategy::price_based: return pool.comparable_prices ? pool.all[p].price : std::nullopt;
    case strategy::health_aware: return recorded ? health_key(pool.all[p], pool.values[p]) : std::nullopt;
    }
    return std::nullopt;
}

void shuffle(std::span<ranked> equals, base::random_source& random) {
    for (std::size_t left = equals.size(); left > 1; --left) std::swap(equals[left - 1], equals[random.below(left)]);
}

void sort_by_key(std::span<ranked> keyed, base::random_source& random) {
    std::sort(keyed.begin(), keyed.end(), [](const ranked& a, const ranked& b) { return a.key < b.key; });
    for (auto first = keyed.begin(); first != keyed.end();) {
        const auto last = std::find_if(first, keyed.end(), [&](const ranked& r) { return r.key != first->key; });
        shuffle({first, last}, random);
        first = last;
    }
}

/// Ranks `part` and returns how many of it, at its front, are candidates.
std::size_t rank_part(strategy s, const ranking& pool, std::span<position> part, base::random_source& random) {
    if (part.empty()) return 0;
    // Pools of usual size need no memory of their own.
    std::array<std::byte, 64 * sizeof(ranked)> storage; // NOLINT(*-member-init): zeroing it would cost a tenth
    std::pmr::monotonic_buffer_resource memory{storage.data(), storage.size()};
    std::pmr::vector<ranked> keyed{&memory};
    keyed.reserve(part.size());

    const bool recorded = s == strategy::health_aware && std::any_of(part.begin(), part.end(), [&](position p) {
                              return pool.values[p].has_record();
                          });
    std::size_t drawn = 0;
    for (const position p : part) {
        if (const auto key = key_of(s, pool, p, recorded)) {
            keyed.push_back({*key, p});
        } else if (pool.all[p].weight != 0) {
            part[drawn++] = p;
        }
    }

    std::copy_backward(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(drawn),
                       part.begin() + static_cast<std::ptrdiff_t>(keyed.size() + drawn));
    sort_by_key(keyed, random);
    std::transform(keyed.begin(), keyed.end(), part.begin(), [](const ranked& r) { return r.who; });
    draw_weighted_order(pool.all, part.subspan(keyed.size(), drawn), random);
    return keyed.size() + drawn;
}

} // namespace

std::string_view to_string(strategy s) {
    return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == s; })->second;
}

std::optional<strategy> strategy_of(std::string_view name) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.second == name; });
    return found == names.end() ? std::nullopt : std::optional{found->first};
}

bool needs_snapshot(strategy s) {
    switch (s) {
    case strategy::simple_shuffle:
    case strategy::price_based: return false;
    case strategy::least_busy:
    case strategy::usage_based_rpm:
    case strategy::usage_based_tpm:
    case strategy::latency_based:
    case strategy::throughput_based:
    case strategy::health_aware: return true;
    }
    return true;
}

bool is_candidate(strategy s, const ranking& pool, position p) {
    return pool.pool_of_one || pool.all[p].weight != 0 || key_of(s, pool, p, true).has_value();
}

void rank(strategy s, const ranking& pool, std::pmr::vector<position>& positions, base::random_source& random) {
    if (pool.pool_of_one) return;
    auto refused = positions.end();
    if (!pool.values.empty()) {
        refused =
            std::partition(positions.begin(), positions.end(), [&](position p) { return pool.values[p].entry.open(); });
    }
    const auto split = static_cast<std::size_t>(refused - positions.begin());
    const auto all = std::span{positions};
    const auto first = static_cast<std::ptrdiff_t>(rank_part(s, pool, all.first(split), random));
    const auto second = static_cast<std::ptrdiff_t>(rank_part(s, pool, all.subspan(split), random));
    // The hinder part first, since taking something out moves what follows.
    positions.erase(refused + second, positions.end());
    positions.erase(positions.begin() + first, refused);
}

} // namespace turnout::routing
