#include "net/tls_client.hpp"

#include <algorithm>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

namespace turnout::net {
namespace {

struct session_deleter {
    void operator()(SSL_SESSION* s) const { SSL_SESSION_free(s); }
};
using session_ptr = std::unique_ptr<SSL_SESSION, session_deleter>;

// A pool that grows by a few connections at once resumes all of them.
constexpr std::size_t sessions_per_endpoint = 4;
constexpr std::size_t endpoints = 256;

bool is_address(const std::string& host) {
    in6_addr ignored{};
    return inet_pton(AF_INET, host.c_str(), &ignored) == 1 || inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
}

/// Where a connection says whose sessions it is given.
int id_index() {
    static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

void trust(SSL_CTX* context, const std::string& ca_file) {
    if (ca_file.empty()) {
        SSL_CTX_set_default_verify_paths(context);
        return;
    }
    if (const auto problem = authorities_problem(ca_file)) throw std::runtime_error("network.caFile " + *problem);
    SSL_CTX_load_verify_file(context, ca_file.c_str());
}

} // namespace

std::optional<std::string> authorities_problem(const std::string& file) {
    if (auto problem = reading_problem(file)) return problem;
    const ssl_context_ptr context(SSL_CTX_new(TLS_client_method()));
    ERR_clear_error();
    if (context && SSL_CTX_load_verify_file(context.get(), file.c_str()) == 1) return std::nullopt;
    return "must hold certificates of authorities in PEM: " + file;
}

struct tls_client::sessions {
    std::string host;
    std::uint16_t port;
    std::uintptr_t id; // never used again: a session given late must not end up with another endpoint
    std::vector<session_ptr> waiting;
};

tls_client::tls_client(const std::string& ca_file) : context_(SSL_CTX_new(TLS_client_method())) {
    if (!context_) throw std::runtime_error("OpenSSL gives no client context");
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
    trust(context_.get(), ca_file);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    prepare_for_events(context_.get());
    SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context_.get(), keep);
    SSL_CTX_set_app_data(context_.get(), this);
}

// Connections that are still open keep the context.
tls_client::~tls_client() { SSL_CTX_sess_set_new_cb(context_.get(), nullptr); }

tls_client::sessions& tls_client::sessions_of(const std::string& host, std::uint16_t port) {
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const sessions& s) { return s.port == port && s.host == host; });
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        if (known_.size() == endpoints) known_.pop_back();
        known_.push_front({host, port, next_id_++, {}});
    }
    return known_.front();
}

// A session is taken once: in TLS 1.3 so that nobody can tell from it who comes again, in both so that one which an
// upstream does not like is not offered for ever.
ssl_ptr tls_client::open(int descriptor, const std::string& host, std::uint16_t port) {
    ssl_ptr connection(SSL_new(context_.get()));
    if (!connection || SSL_set_fd(connection.get(), descriptor) != 1) return nullptr;
    if (is_address(host)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection.get()), host.c_str());
    } else {
        SSL_set_tlsext_host_name(connection.get(), host.c_str());
        SSL_set1_host(connection.get(), host.c_str());
    }
    auto& mine = sessions_of(host, port);
    SSL_set_ex_data(connection.get(), id_index(), reinterpret_cast<void*>(mine.id));
    if (!mine.waiting.empty()) {
        SSL_set_session(connection.get(), mine.waiting.back().get());
        mine.waiting.pop_back();
    }
    SSL_set_connect_state(connection.get());
    return connection;
}

// TLS 1.3 gives fresh sessions each time, TLS 1.2 goes on with the old one.
void tls_client::on_handshake(SSL* connection) {
    if (SSL_session_reused(connection) == 0 || SSL_version(connection) >= TLS1_3_VERSION) return;
    session_ptr again(SSL_get1_session(connection));
    if (keep(connection, again.get()) == 1) static_cast<void>(again.release());
}

int tls_client::keep(SSL* connection, SSL_SESSION* fresh) {
    auto* self = static_cast<tls_client*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(connection)));
    const auto id = reinterpret_cast<std::uintptr_t>(SSL_get_ex_data(connection, id_index()));
    const auto mine =
        std::find_if(self->known_.begin(), self->known_.end(), [id](const sessions& s) { return s.id == id; });
    if (mine == self->known_.end()) return 0;
    if (mine->waiting.size() == sessions_per_endpoint) mine->waiting.erase(mine->waiting.begin());
    mine->waiting.emplace_back(fresh);
    return 1;
}

std::size_t tls_client::kept() const {
    std::size_t all = 0;
    for (const auto& s : known_) all += s.waiting.size();
    return all;
}

} // namespace turnout::net
