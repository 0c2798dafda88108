#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace turnout::config {

/// A protocol that upstreams speak about text.
enum class transport { chat, responses, messages };
std::string_view to_string(transport t);

inline constexpr std::array transports{transport::chat, transport::responses, transport::messages};

/// One value of each transport.
template <class Value>
struct by_transport {
    std::array<Value, transports.size()> values{};

    Value& operator[](transport t) { return values[static_cast<std::size_t>(t)]; }
    const Value& operator[](transport t) const { return values[static_cast<std::size_t>(t)]; }
};

/// Some of the transports.
class transport_set {
public:
    constexpr transport_set() = default;
    constexpr transport_set(std::initializer_list<transport> all) {
        for (const auto t : all) add(t);
    }

    constexpr void add(transport t) { bits_ = static_cast<std::uint8_t>(bits_ | bit(t)); }
    constexpr bool has(transport t) const { return (bits_ & bit(t)) != 0; }
    constexpr bool operator==(const transport_set&) const = default;

private:
    static constexpr unsigned bit(transport t) { return 1U << static_cast<unsigned>(t); }

    std::uint8_t bits_ = 0;
};

/// How a provider's API is reached.
enum class adapter { openai, openaicompatible, anthropic, azureopenai, openrouter };
std::string_view to_string(adapter a);

inline constexpr std::array adapters{adapter::openai, adapter::openaicompatible, adapter::anthropic,
                                     adapter::azureopenai, adapter::openrouter};

/// Where a request carries the provider's key.
enum class key_header {
    bearer,    ///< `authorization: Bearer KEY`
    x_api_key, ///< `x-api-key: KEY`
    api_key,   ///< `api-key: KEY`
};

/// What `credentials.version` means to an adapter.
enum class version_use {
    none,          ///< nothing: it is refused
    header,        ///< the `anthropic-version` of requests whose client names none
    deployed_path, ///< `api-version` in the query of paths that name the upstream's deployment; those serve chat only
};

struct adapter_traits {
    std::string_view base_url = {}; ///< where it is without `credentials.baseUrl`; empty if that has to be said
    std::string_view prefix = {};   ///< stands between a base URL and the path of an operation
    key_header key = key_header::bearer;
    bool key_required = true;
    bool extra_headers = false; ///< takes `credentials.headers`
    version_use version = version_use::none;
    std::string_view default_version = {};
    transport_set transports = {}; ///< without `transportOverrides`
    bool web_socket = false;       ///< at `base_url` responses are to be had over a WebSocket too
};

const adapter_traits& traits_of(adapter a);

/// The transports that a deployment of this adapter can have at all, with a `version` or without (empty).
transport_set possible_transports(adapter a, std::string_view version);

/// Whether a deployment takes turns over a WebSocket where `webSocket` is not given.
bool takes_websockets(adapter a, std::string_view base_url, transport_set all);

/// A base URL without the beginning of what the adapter itself puts behind it (`/v1` for anthropic), as consoles show it.
std::string_view without_prefix(adapter a, std::string_view base_url);

/// The path of an operation (`/chat/completions`) if a base URL ends with one; else empty.
std::string_view operation_at_end(std::string_view base_url);

/// The target of an operation (`/chat/completions`), query included, below a base URL's path. `version` is
/// `credentials.version`, empty if not given.
std::string operation_target(adapter a, std::string_view version, std::string_view upstream_model,
                             std::string_view base_path, std::string_view operation);

} // namespace turnout::config
