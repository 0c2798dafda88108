#include <optional>
#include <set>
#include <string>
#include <vector>

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

TEST(client_keys, refuse_a_header_that_is_there_twice) {
    const auto keys = keys_of("master", {{"one", "first"}});
    for (const auto* lines : {
             "Authorization: Bearer first\r\nAuthorization: Bearer first\r\n",
             "Authorization: Bearer first\r\nauthorization: Bearer wrong\r\n",
             "Authorization: Basic wrong\r\nAuthorization: Bearer master\r\n",
             "x-api-key: first\r\nX-Api-Key: wrong\r\n",
         }) {
        EXPECT_FALSE(keys.accepts(request_head(lines))) << lines;
        EXPECT_FALSE(keys.accepts_master(request_head(lines))) << lines;
    }
    EXPECT_TRUE(keys.accepts(request_head("Authorization: Bearer first\r\nx-api-key: wrong\r\n")));
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

std::optional<std::string> name_of(const client_keys& keys, const std::string& shown) {
    const auto seen = keys.caller_of(request_head(shown));
    return seen ? std::optional(std::string(seen->name)) : std::nullopt;
}

std::string owner_of(const client_keys& keys, const std::string& key) {
    return std::string(keys.caller_of(request_head("x-api-key: " + key + "\r\n")).value().owner);
}

TEST(client_keys, name_the_key_that_is_shown) {
    const auto keys = keys_of("master", {{"one", "first"}, {"two", "second"}});
    EXPECT_EQ(name_of(keys, "x-api-key: first\r\n"), "one");
    EXPECT_EQ(name_of(keys, "Authorization: Bearer second\r\n"), "two");
    EXPECT_EQ(name_of(keys, "x-api-key: master\r\n"), "master");
    EXPECT_EQ(name_of(keys, "Authorization: Bearer placeholder\r\nx-api-key: first\r\n"), "one");
    EXPECT_EQ(name_of(keys, "x-api-key: wrong\r\n"), std::nullopt);
    EXPECT_EQ(name_of(keys_of("", {}), "x-api-key: whatever\r\n"), "");
}

TEST(client_keys, have_owners_of_their_own_whatever_they_are_named) {
    RecordProperty("rules", "RSP-ID-007");
    const std::vector<std::string> names{"one", "master", "master'", "master''", "master'x", "mast"};
    std::vector<config::client_key> named;
    for (const auto& name : names) named.push_back({name, "key of " + name});
    const auto keys = keys_of("the master key", named);
    std::set<std::string> owners{owner_of(keys, "the master key")};
    for (const auto& k : named) {
        owners.insert(owner_of(keys, k.key));
        EXPECT_EQ(name_of(keys, "x-api-key: " + k.key + "\r\n"), k.name);
    }
    EXPECT_EQ(owners.size(), 1 + names.size());
    // Ids that clients have already stay theirs.
    EXPECT_EQ(owner_of(keys, "the master key"), "master");
    EXPECT_EQ(owner_of(keys, "key of one"), "one");
    EXPECT_EQ(owner_of(keys, "key of master'x"), "master'x");
    EXPECT_EQ(keys_of("", {}).caller_of(request_head("")).value().owner, "");
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
