#include <gtest/gtest.h>

#include "gateway/client_keys.hpp"
#include "gateway/heads.hpp"

namespace turnout::gateway {
namespace {

client_keys keys_of(std::string master, std::vector<config::client_key> keys) {
    config::configuration c;
    c.server.master_key = std::move(master);
    c.keys = std::move(keys);
    return client_keys(c);
}

TEST(client_keys, accept_everyone_when_there_is_none) {
    const auto keys = keys_of("", {});
    EXPECT_TRUE(keys.accepts(request_head("")));
    EXPECT_TRUE(keys.accepts(request_head("Authorization: Bearer whatever\r\n")));
}

TEST(client_keys, accept_the_master_key_and_every_client_key) {
    const auto keys = keys_of("master", {{"one", "first"}, {"two", "second"}});
    for (const std::string key : {"master", "first", "second"}) {
        EXPECT_TRUE(keys.accepts(request_head("Authorization: Bearer " + key + "\r\n"))) << key;
        EXPECT_TRUE(keys.accepts(request_head("x-api-key: " + key + "\r\n"))) << key;
        EXPECT_TRUE(keys.accepts(request_head("X-API-KEY: " + key + "\r\n"))) << key;
    }
}

TEST(client_keys, refuse_all_else) {
    const auto keys = keys_of("master", {{"one", "first"}});
    for (const auto* lines : {
             "",
             "Authorization: Bearer wrong\r\n",
             "Authorization: Bearer Master\r\n",
             "Authorization: Bearer master x\r\n",
             "Authorization: Bearer maste\r\n",
             "Authorization: Bearer\r\n",
             "Authorization: master\r\n",
             "Authorization: Basic master\r\n",
             "Authorization: Bearermaster\r\n",
             "x-api-key:\r\n",
             "x-api-key: Bearer master\r\n",
             "api-key: master\r\n",
         })
        EXPECT_FALSE(keys.accepts(request_head(lines))) << lines;
}

TEST(client_keys, take_the_scheme_in_any_case_and_blanks_after_it) {
    const auto keys = keys_of("", {{"one", "first"}});
    for (const auto* lines : {"Authorization: bearer first\r\n", "authorization: BEARER first\r\n",
                              "Authorization:   Bearer    first  \r\n"})
        EXPECT_TRUE(keys.accepts(request_head(lines))) << lines;
}

TEST(client_keys, are_looked_for_in_both_headers) {
    const auto keys = keys_of("", {{"one", "first"}});
    EXPECT_TRUE(keys.accepts(request_head("Authorization: Basic eA==\r\nx-api-key: first\r\n")));
    EXPECT_TRUE(keys.accepts(request_head("Authorization: Bearer wrong\r\nx-api-key: first\r\n")));
}

TEST(client_keys, of_a_name_do_not_open_anything) {
    EXPECT_FALSE(keys_of("", {{"one", "first"}}).accepts(request_head("x-api-key: one\r\n")));
}

TEST(client_keys, name_the_key_that_is_shown) {
    const auto keys = keys_of("master", {{"one", "first"}, {"two", "second"}});
    EXPECT_EQ(keys.name_of(request_head("x-api-key: first\r\n")), "one");
    EXPECT_EQ(keys.name_of(request_head("Authorization: Bearer second\r\n")), "two");
    EXPECT_EQ(keys.name_of(request_head("x-api-key: master\r\n")), "master");
    EXPECT_EQ(keys.name_of(request_head("Authorization: Bearer placeholder\r\nx-api-key: first\r\n")), "one");
    EXPECT_EQ(keys.name_of(request_head("x-api-key: wrong\r\n")), std::nullopt);
    EXPECT_EQ(keys_of("", {}).name_of(request_head("x-api-key: whatever\r\n")), "");
}

TEST(client_keys, tell_the_master_key_from_the_others) {
    const auto keys = keys_of("master", {{"one", "first"}});
    EXPECT_TRUE(keys.accepts_master(request_head("x-api-key: master\r\n")));
    EXPECT_TRUE(keys.accepts_master(request_head("Authorization: Bearer master\r\n")));
    EXPECT_TRUE(keys.accepts_master(request_head("Authorization: Bearer first\r\nx-api-key: master\r\n")));
    EXPECT_FALSE(keys.accepts_master(request_head("x-api-key: first\r\n")));
    EXPECT_FALSE(keys.accepts_master(request_head("x-api-key: wrong\r\n")));
    EXPECT_FALSE(keys.accepts_master(request_head("")));
}

TEST(client_keys, let_nobody_pass_for_the_master_where_only_clients_have_keys) {
    EXPECT_FALSE(keys_of("", {{"one", "first"}}).accepts_master(request_head("x-api-key: first\r\n")));
    EXPECT_TRUE(keys_of("", {}).accepts_master(request_head("")));
}

} // namespace
} // namespace turnout::gateway
