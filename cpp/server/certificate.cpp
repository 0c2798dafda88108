#include "server/certificate.hpp"

#include <utility>
#include <vector>

namespace turnout::server {
namespace {

std::string member_of(net::certificate_problem::file f) {
    switch (f) {
    case net::certificate_problem::file::certificate: return "certificateFile";
    case net::certificate_problem::file::key: return "keyFile";
    }
    return {};
}

} // namespace

std::variant<net::server_tls_context, config::problems> load_certificate(const config::tls_files& files) {
    auto made = net::make_server_context(files.certificate_file, files.key_file);
    if (auto* context = std::get_if<net::server_tls_context>(&made)) return std::move(*context);
    config::problems found;
    for (auto& p : std::get<std::vector<net::certificate_problem>>(made))
        found.push_back({member_of(p.of), std::move(p.message)});
    return found;
}

} // namespace turnout::server
