#pragma once

#include <functional>
#include <string_view>

#include "base/random.hpp"
#include "config/configuration.hpp"
#include "gateway/buffer_pool.hpp"
#include "gateway/client_keys.hpp"
#include "gateway/deployment_table.hpp"
#include "gateway/sealing.hpp"
#include "gateway/websocket_refusals.hpp"
#include "journal/log.hpp"
#include "net/loop.hpp"
#include "net/upstream.hpp"
#include "state/store.hpp"

namespace turnout::gateway {

/// What all loops share; immutable but for the store.
struct shared_context {
    explicit shared_context(config::configuration c)
        : settings(std::move(c)), deployments(settings), keys(settings), seals(sealing_secret(settings)) {}

    const config::configuration settings;
    const deployment_table deployments;
    const client_keys keys;
    const sealing seals;
};

/// What one loop's requests work with.
struct worker_context {
    const shared_context& shared;
    state::store& store;
    net::loop& on;
    net::upstream_client& upstreams;
    base::random_source& draws;                ///< selection; a test seeds it
    base::random_source& ids;                  ///< request ids, which must not disturb the draws
    std::function<void(std::string_view)> log; ///< takes one line; may be empty
    journal::log* journal = nullptr;           ///< takes a row per logical request; may be null
    buffer_pool buffers = {};
    websocket_refusals refusals = {};
};

} // namespace turnout::gateway
