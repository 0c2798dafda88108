#include "server/certificate.hpp"

#include <utility>

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

std::variant<net::server_tls_context, config::problem> load_certificate(const config::tls_files& files) {
    auto made = net::make_server_context(files.certificate_file, files.key_file);
    if (auto* p = std::get_if<net::certificate_problem>(&made))
        return config::problem{member_of(p->of), std::move(p->message)};
    return std::get<net::server_tls_context>(std::move(made));
}

} // namespace turnout::server
