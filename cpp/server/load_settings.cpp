#include "server/load_settings.hpp"

#include <cstdlib>
#include <utility>

#include "net/tls_client.hpp"
#include "server/certificate.hpp"

namespace turnout::server {
namespace {

std::optional<std::string> from_environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

config::problems certificate_problems(const config::tls_files& files) {
    auto made = load_certificate(files);
    if (auto* found = std::get_if<config::problems>(&made)) return std::move(*found);
    return {};
}

} // namespace

std::variant<config::configuration, config::problems> load_settings(std::string_view text,
                                                                    const std::filesystem::path& folder) {
    return config::load(text, from_environment,
                        {.folder = folder, .tls = certificate_problems, .authorities = net::authorities_problem});
}

} // namespace turnout::server
