#include <set>

#include <gmock/gmock.h>

#include "gateway/heads.hpp"
#include "gateway/request_id.hpp"

namespace turnout::gateway {
namespace {

using testing::MatchesRegex;

constexpr auto made_up = "req_[0-9a-f]+";

TEST(request_id, is_the_clients_own) {
    base::splitmix random(1);
    EXPECT_EQ(request_id_of(request_head("X-Request-Id: abc-1.2_3~!{}\r\n"), random), "abc-1.2_3~!{}");
    EXPECT_EQ(request_id_of(request_head("x-request-id: " + std::string(128, 'i') + "\r\n"), random),
              std::string(128, 'i'));
}

TEST(request_id, is_made_when_the_clients_own_cannot_be_used) {
    base::splitmix random(1);
    for (const std::string& lines :
         {std::string(), std::string("x-request-id:\r\n"), std::string("x-request-id: two words\r\n"),
          std::string("x-request-id: tab\there\r\n"), std::string("x-request-id: \xC3\xA9\r\n"),
          "x-request-id: " + std::string(129, 'i') + "\r\n"})
        EXPECT_THAT(request_id_of(request_head(lines), random), MatchesRegex(made_up)) << lines;
}

TEST(request_id, that_is_made_has_96_bits_of_chance) {
    base::splitmix random(1);
    std::set<std::string> all;
    for (int i = 0; i < 1000; ++i) all.insert(new_request_id(random));
    EXPECT_EQ(all.size(), 1000U);
    for (const auto& id : all) EXPECT_EQ(id.size(), 28U);
    for (std::size_t digit = 4; digit < 28; ++digit) {
        std::set<char> seen;
        for (const auto& id : all) seen.insert(id[digit]);
        EXPECT_EQ(seen.size(), 16U) << digit;
    }
}

TEST(request_id, that_is_made_follows_the_seed) {
    base::splitmix one(7);
    base::splitmix same(7);
    base::splitmix other(8);
    const auto id = new_request_id(one);
    EXPECT_EQ(new_request_id(same), id);
    EXPECT_NE(new_request_id(other), id);
    EXPECT_NE(new_request_id(one), id);
}

} // namespace
} // namespace turnout::gateway
