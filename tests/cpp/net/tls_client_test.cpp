#include <string>

#include <gmock/gmock.h>
#include <sys/socket.h>

#include "net/tls_client.hpp"
#include "net/tls_peer.hpp"

namespace turnout::net {
namespace {

using testing::HasSubstr;

/// Makes connections between a client and an upstream of one certificate, by hand over a pair of sockets.
class tls_sessions : public testing::Test {
protected:
    tls_sessions() {
        std::string path = testing::TempDir() + "turnout-authority-XXXXXX";
        ::close(::mkstemp(path.data()));
        authority = path;
        identity.write_certificate(authority);
        SSL_CTX_use_PrivateKey(upstream.get(), identity.key());
        SSL_CTX_use_certificate(upstream.get(), identity.certificate());
    }
    ~tls_sessions() override { ::unlink(authority.c_str()); }

    /// A whole connection, whether it resumed a session, and what the upstream gave for the next one.
    bool visit(tls_client& client, const std::string& host, std::uint16_t port) {
        int pair[2] = {};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        raw_socket near(pair[0]);
        raw_socket far(pair[1]);
        const ssl_ptr mine = client.open(near.descriptor(), host, port);
        const ssl_ptr theirs(SSL_new(upstream.get()));
        SSL_set_fd(theirs.get(), far.descriptor());
        SSL_set_accept_state(theirs.get());
        shake_hands(mine.get(), theirs.get());
        client.on_handshake(mine.get());
        SSL_write(theirs.get(), "x", 1);
        char byte = 0;
        EXPECT_EQ(SSL_read(mine.get(), &byte, 1), 1);
        SSL_set_shutdown(mine.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
        return SSL_session_reused(mine.get()) == 1;
    }

    static void shake_hands(SSL* mine, SSL* theirs) {
        for (int turn = 0; turn < 10; ++turn) {
            const int here = SSL_do_handshake(mine);
            const int there = SSL_do_handshake(theirs);
            if (here == 1 && there == 1) return;
        }
        ADD_FAILURE() << handshake_problem(mine);
    }

    const tls_identity identity{"DNS:one.test,DNS:other.test"};
    ssl_context_ptr upstream{SSL_CTX_new(TLS_server_method())};
    std::string authority;
};

TEST_F(tls_sessions, are_resumed_at_their_endpoint_only) {
    RecordProperty("rules", "UP-TLS-010");
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        SSL_CTX_set_max_proto_version(upstream.get(), version);
        tls_client client(authority);
        EXPECT_FALSE(visit(client, "one.test", 443));
        EXPECT_FALSE(visit(client, "other.test", 443));
        EXPECT_FALSE(visit(client, "one.test", 444));
        for (int i = 0; i < 5; ++i) EXPECT_TRUE(visit(client, "one.test", 443)) << version;
    }
}

TEST_F(tls_sessions, are_kept_in_small_numbers) {
    RecordProperty("rules", "UP-TLS-010");
    SSL_CTX_set_num_tickets(upstream.get(), 6);
    tls_client client(authority);
    EXPECT_EQ(client.kept(), 0U);
    visit(client, "one.test", 1);
    EXPECT_EQ(client.kept(), 4U);
    visit(client, "one.test", 1); // takes one and is given one
    EXPECT_EQ(client.kept(), 4U);
    for (std::uint16_t port = 2; port <= 256; ++port) visit(client, "one.test", port);
    EXPECT_EQ(client.kept(), 256U * 4U);
    visit(client, "one.test", 257); // in place of the one that was used longest ago
    EXPECT_EQ(client.kept(), 256U * 4U);
    EXPECT_FALSE(visit(client, "one.test", 1));
}

TEST_F(tls_sessions, come_too_late_for_an_endpoint_that_was_forgotten) {
    tls_client client(authority);
    int pair[2] = {};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    raw_socket near(pair[0]);
    raw_socket far(pair[1]);
    const ssl_ptr mine = client.open(near.descriptor(), "one.test", 1);
    const ssl_ptr theirs(SSL_new(upstream.get()));
    SSL_set_fd(theirs.get(), far.descriptor());
    SSL_set_accept_state(theirs.get());
    shake_hands(mine.get(), theirs.get());
    for (std::uint16_t port = 2; port <= 257; ++port) client.open(near.descriptor(), "other.test", port);
    SSL_write(theirs.get(), "x", 1);
    char byte = 0;
    EXPECT_EQ(SSL_read(mine.get(), &byte, 1), 1);
    EXPECT_EQ(client.kept(), 0U);
}

TEST(tls_authorities, have_to_be_readable) {
    EXPECT_THAT(authorities_problem("/nowhere/ca.pem").value(), HasSubstr("cannot be read: /nowhere/ca.pem"));
    EXPECT_THROW(tls_client("/nowhere/ca.pem"), std::runtime_error);
    EXPECT_NO_THROW(tls_client(""));
}

} // namespace
} // namespace turnout::net
