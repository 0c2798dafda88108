#include <map>

#include <gmock/gmock.h>

#include "config/proxy.hpp"

namespace turnout::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct loaded {
    std::optional<proxy_settings> proxy;
    problems found;
};

loaded load_from(const std::map<std::string, std::string>& variables) {
    loaded l;
    load_proxy(
        [&](const std::string& name) {
            const auto it = variables.find(name);
            return it == variables.end() ? std::nullopt : std::optional{it->second};
        },
        l.proxy, l.found);
    return l;
}

TEST(Proxy, IsNoneWithoutAVariable) {
    EXPECT_EQ(load_from({}).proxy, std::nullopt);
    EXPECT_EQ(load_from({{"HTTPS_PROXY", ""}, {"NO_PROXY", "*"}}).proxy, std::nullopt);
}

TEST(Proxy, IsReadFromItsUrl) {
    const auto p = load_from({{"HTTPS_PROXY", "http://us%65r:p%40s%3as@Proxy.test:3128/"}}).proxy;
    ASSERT_TRUE(p);
    EXPECT_EQ(p->host, "Proxy.test");
    EXPECT_EQ(p->port, 3128);
    EXPECT_EQ(p->credentials, "user:p@s:s");
    EXPECT_THAT(p->without, IsEmpty());
}

TEST(Proxy, NeedsNoSchemePortOrPassword) {
    const auto p = load_from({{"HTTPS_PROXY", "user@[::1]"}}).proxy;
    ASSERT_TRUE(p);
    EXPECT_EQ(p->host, "::1");
    EXPECT_EQ(p->port, 80);
    EXPECT_EQ(p->credentials, "user:");
}

TEST(Proxy, IsThatOfTheLowerCaseNameFirst) {
    const auto p = load_from({{"HTTPS_PROXY", "http://upper"},
                              {"https_proxy", "http://lower"},
                              {"NO_PROXY", "upper.test"},
                              {"no_proxy", " A.test ,, .b.test,*"}})
                       .proxy;
    ASSERT_TRUE(p);
    EXPECT_EQ(p->host, "lower");
    EXPECT_THAT(p->without, ElementsAre("a.test", ".b.test", "*"));
}

TEST(Proxy, IsRefusedWithTheVariablesName) {
    const std::map<std::string, std::string> bad{
        {"https://h", "must be an http:// URL; proxies that speak TLS themselves are not supported by this version"},
        {"socks5://h", "must be an http:// URL"},
        {"http://", "must name a host, with a port from 1 to 65535 if any, and nothing after it"},
        {"http://h:65536", "must name a host, with a port from 1 to 65535 if any, and nothing after it"},
        {"http://h/path", "must name a host, with a port from 1 to 65535 if any, and nothing after it"},
        {"http://a%4@h", "must have its user and password percent-encoded"},
        {"http://a%4x@h", "must have its user and password percent-encoded"},
        {"http://a%0a@h", "must have its user and password percent-encoded"},
    };
    for (const auto& [url, message] : bad) {
        const auto l = load_from({{"HTTPS_PROXY", url}});
        ASSERT_EQ(l.found.size(), 1U) << url;
        EXPECT_EQ(l.found[0].path, "HTTPS_PROXY");
        EXPECT_EQ(l.found[0].message, message) << url;
        EXPECT_EQ(l.proxy, std::nullopt);
    }
}

} // namespace
} // namespace turnout::config
