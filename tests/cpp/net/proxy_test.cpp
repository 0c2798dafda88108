#include <gtest/gtest.h>

#include "net/proxy.hpp"

namespace turnout::net {
namespace {

bool goes_by(std::vector<std::string> without, std::string host, std::uint16_t port = 443) {
    return is_proxied({"proxy", 3128, {}, std::move(without)}, {std::move(host), port, true});
}

TEST(proxy, is_for_endpoints_with_tls_only) {
    EXPECT_TRUE(is_proxied({"proxy", 3128, {}, {}}, {"up.test", 443, true}));
    EXPECT_FALSE(is_proxied({"proxy", 3128, {}, {}}, {"up.test", 443, false}));
}

TEST(proxy, is_not_for_what_the_list_names) {
    EXPECT_FALSE(goes_by({"*"}, "up.test"));
    EXPECT_FALSE(goes_by({"other", "up.test"}, "up.test"));
    EXPECT_FALSE(goes_by({"up.test"}, "UP.Test"));
    EXPECT_FALSE(goes_by({"up.test"}, "a.b.up.test"));
    EXPECT_FALSE(goes_by({".up.test"}, "a.up.test"));
    EXPECT_FALSE(goes_by({".up.test"}, "up.test"));
    EXPECT_FALSE(goes_by({"*.up.test"}, "a.up.test"));
    EXPECT_FALSE(goes_by({"127.0.0.1"}, "127.0.0.1"));
    EXPECT_FALSE(goes_by({"::1"}, "::1"));
    EXPECT_FALSE(goes_by({"[::1]"}, "::1"));
    EXPECT_FALSE(goes_by({"up.test:8443"}, "up.test", 8443));
    EXPECT_FALSE(goes_by({"[::1]:8443"}, "::1", 8443));
}

TEST(proxy, is_for_everything_else) {
    EXPECT_TRUE(goes_by({"up.test"}, "cup.test"));
    EXPECT_TRUE(goes_by({"up.test"}, "up.test.example"));
    EXPECT_TRUE(goes_by({"up.test:8443"}, "up.test", 443));
    EXPECT_TRUE(goes_by({"[::1]:8443"}, "::1", 443));
    EXPECT_TRUE(goes_by({"."}, "up.test"));
    EXPECT_TRUE(goes_by({"10.0.0.0/8"}, "10.0.0.1"));
}

class tunnels : public testing::Test {
protected:
    using state = tunnel_request::state;
    tunnel_request request{{"proxy", 3128, {}, {}}, {"up.test", 443, true}};
};

TEST_F(tunnels, are_asked_for_by_name_and_port) {
    EXPECT_EQ(request.unsent(), "CONNECT up.test:443 HTTP/1.1\r\nhost: up.test:443\r\n\r\n");
    tunnel_request to_ipv6({"proxy", 3128, {}, {}}, {"::1", 8443, true});
    EXPECT_EQ(to_ipv6.unsent(), "CONNECT [::1]:8443 HTTP/1.1\r\nhost: [::1]:8443\r\n\r\n");
}

TEST_F(tunnels, are_asked_for_with_credentials_if_there_are_any) {
    tunnel_request with({"proxy", 3128, "user:pass", {}}, {"up.test", 443, true});
    EXPECT_TRUE(with.unsent().find("\r\nproxy-authorization: Basic dXNlcjpwYXNz\r\n") != std::string_view::npos);
}

TEST_F(tunnels, are_open_after_a_whole_head_of_a_2xx) {
    EXPECT_EQ(request.take("HTTP/1.1 200 Connection established\r\nContent-Length: 7\r\n"), state::waiting);
    EXPECT_EQ(request.take("\r"), state::waiting);
    EXPECT_EQ(request.take("\n"), state::open);
}

TEST_F(tunnels, are_refused_by_every_other_answer) {
    EXPECT_EQ(request.take("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 7\r\n\r\nno such"), state::refused);
    EXPECT_EQ(request.problem(), "the proxy refused the tunnel: it answered 502");
    tunnel_request redirected({"proxy", 3128, {}, {}}, {"up.test", 443, true});
    EXPECT_EQ(redirected.take("HTTP/1.1 300 Multiple Choices\r\n\r\n"), state::refused);
}

TEST_F(tunnels, are_refused_with_a_word_on_the_credentials) {
    tunnel_request with({"proxy", 3128, "user:pass", {}}, {"up.test", 443, true});
    EXPECT_EQ(with.take("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"), state::refused);
    EXPECT_EQ(with.problem(), "the proxy wants other credentials: it answered 407");
}

TEST_F(tunnels, are_refused_by_what_is_no_http) {
    EXPECT_EQ(request.take("SSH-2.0-OpenSSH\r\n"), state::refused);
    EXPECT_EQ(request.problem().find("the proxy's answer is no HTTP: "), 0U);
}

TEST_F(tunnels, are_refused_by_a_close) {
    EXPECT_EQ(request.take("HTTP/1.1 200 OK\r\n"), state::waiting);
    EXPECT_EQ(request.closed(), state::refused);
    EXPECT_EQ(request.problem(), "the proxy closed the connection before it answered");
}

TEST_F(tunnels, are_refused_where_bytes_come_too_early) {
    EXPECT_EQ(request.take("HTTP/1.1 200 OK\r\n\r\nx"), state::refused);
    EXPECT_EQ(request.problem(), "the proxy sent bytes before the tunnel was used");
}

} // namespace
} // namespace turnout::net
