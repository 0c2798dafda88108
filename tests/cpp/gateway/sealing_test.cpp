#include <set>
#include <string>

#include <gtest/gtest.h>
#include <openssl/err.h>

#include "gateway/sealing.hpp"

namespace turnout::gateway {
namespace {

constexpr std::string_view prefix = "resp_";
constexpr std::string_view owner = "team";
constexpr std::string_view from = "12345678";

class sealing_test : public testing::Test {
protected:
    std::string seal(std::string_view id) const { return seals.seal(prefix, owner, from, id); }

    sealing seals{"secret"};
};

TEST_F(sealing_test, gives_back_what_it_was_given) {
    RecordProperty("rules", "RSP-ID-001");
    for (const std::string& id :
         {std::string("r"), std::string("resp_0a1b"), std::string(5000, 'x'), std::string("\0\xff\n\"", 4)}) {
        const auto opened = seals.open(prefix, owner, seal(id));
        ASSERT_TRUE(opened.has_value());
        EXPECT_EQ(opened->deployment, from);
        EXPECT_EQ(opened->upstream_id, id);
    }
}

TEST_F(sealing_test, is_the_same_every_time_and_on_every_node_with_the_secret) {
    RecordProperty("rules", "RSP-ID-001 RSP-ID-006");
    EXPECT_EQ(seal("resp_1"), seal("resp_1"));
    EXPECT_EQ(sealing("secret").seal(prefix, owner, from, "resp_1"), seal("resp_1"));
    EXPECT_TRUE(sealing("secret").open(prefix, owner, seal("resp_1")).has_value());
    EXPECT_FALSE(sealing("secret2").open(prefix, owner, seal("resp_1")).has_value());
    EXPECT_FALSE(sealing("").open(prefix, owner, seal("resp_1")).has_value());
}

/// Made by the AESSIV of Python's cryptography, with HMAC-SHA-512 of the secret and the purpose as key.
TEST_F(sealing_test, agrees_with_another_implementation_before_and_after_others_were_served) {
    RecordProperty("rules", "RSP-ID-006");
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(seals.seal("resp_", "team", "12345678", "resp_1"), "resp_XPMPpG35yMGoyodM8cmB00X0tvjBlV2IT6swQd-l");
        EXPECT_EQ(seals.seal("resp_", "", "12345678", "resp_1"), "resp_LBal7XQLtPqcIZE2wrZgnyjIjggj3n56EBhL3NJO");
        EXPECT_NE(seals.seal("resp_", "te", "12345678", "resp_1"), seal("resp_1"));
        EXPECT_TRUE(seals.open(prefix, owner, seal("resp_1")).has_value());
        EXPECT_FALSE(seals.open(prefix, "te", seal("resp_1")).has_value());
    }
}

TEST_F(sealing_test, shows_nothing_of_what_it_holds) {
    const auto a = seal("resp_1");
    const auto b = seal("resp_2");
    std::size_t same = 0;
    for (std::size_t i = prefix.size(); i < a.size(); ++i) same += a[i] == b[i] ? 1U : 0U;
    EXPECT_EQ(a.size(), b.size());
    EXPECT_LT(same, a.size() / 4);
    EXPECT_TRUE(a.starts_with(prefix));
    EXPECT_EQ(a.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), a.npos);
}

TEST_F(sealing_test, is_for_one_owner_and_one_kind_of_id) {
    RecordProperty("rules", "RSP-ID-004");
    const auto id = seal("resp_1");
    EXPECT_FALSE(seals.open(prefix, "other", id).has_value());
    EXPECT_FALSE(seals.open(prefix, "", id).has_value());
    EXPECT_FALSE(seals.open("video_", owner, "video_" + id.substr(prefix.size())).has_value());
    EXPECT_NE(seals.seal(prefix, "other", from, "resp_1"), id);
}

TEST_F(sealing_test, needs_no_owner_where_nobody_has_a_key) {
    const auto id = seals.seal(prefix, {}, from, "resp_1");
    EXPECT_TRUE(seals.open(prefix, {}, id).has_value());
    EXPECT_FALSE(seals.open(prefix, owner, id).has_value());
}

TEST_F(sealing_test, opens_nothing_that_differs_in_one_bit) {
    RecordProperty("rules", "RSP-ID-004");
    const auto id = seal("resp_1");
    for (std::size_t i = 0; i < id.size(); ++i) {
        for (const char other : {'A', 'b', '-', '_', '9', '=', ' ', '\0'}) {
            auto changed = id;
            if (changed[i] == other) continue;
            changed[i] = other;
            EXPECT_FALSE(seals.open(prefix, owner, changed).has_value()) << i;
        }
        EXPECT_FALSE(seals.open(prefix, owner, std::string_view(id).substr(0, i)).has_value()) << i;
    }
    EXPECT_FALSE(seals.open(prefix, owner, id + "A").has_value());
    EXPECT_FALSE(seals.open(prefix, owner, "resp_0123456789abcdef").has_value());
    EXPECT_EQ(ERR_peek_error(), 0U) << "TLS would read it as its own";
}

TEST(sealing_secret_test, is_the_master_key_or_else_the_keys_of_all_clients) {
    RecordProperty("rules", "RSP-ID-006");
    config::configuration c;
    std::set<std::string> secrets{sealing_secret(c)};
    EXPECT_EQ(*secrets.begin(), "");
    c.keys = {{"a", "key-a"}, {"b", "key-b"}};
    const auto both = sealing_secret(c);
    secrets.insert(both);
    c.keys = {{"b", "key-b"}, {"a", "key-a"}};
    EXPECT_EQ(sealing_secret(c), both) << "in any order";
    c.keys.pop_back();
    secrets.insert(sealing_secret(c));
    c.server.master_key = "master";
    secrets.insert(sealing_secret(c));
    EXPECT_EQ(secrets.size(), 4U);
    c.keys.clear();
    EXPECT_TRUE(secrets.contains(sealing_secret(c))) << "clients come and go";
}

} // namespace
} // namespace turnout::gateway
