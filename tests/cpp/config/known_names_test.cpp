#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "config/known_names.hpp"

namespace turnout::config {
namespace {

const std::vector<std::string_view> fields{"key", "port", "weight", "baseUrl", "shutdownGraceMs", "text.generate"};

TEST(nearest_name, is_the_one_that_was_probably_meant) {
    RecordProperty("rules", "CFG-PROBLEM-007");
    EXPECT_EQ(nearest_name("baseURL", fields), "baseUrl");
    EXPECT_EQ(nearest_name("base_url", fields), "baseUrl");
    EXPECT_EQ(nearest_name("text_generate", fields), "text.generate");
    EXPECT_EQ(nearest_name("kye", fields), "key") << "two letters that changed places are one slip";
    EXPECT_EQ(nearest_name("ports", fields), "port");
    EXPECT_EQ(nearest_name("por", fields), "port");
    EXPECT_EQ(nearest_name("pord", fields), "port");
    EXPECT_EQ(nearest_name("shutdownGraceSeconds", fields), "shutdownGraceMs");
}

TEST(nearest_name, allows_a_slip_in_every_three_letters) {
    RecordProperty("rules", "CFG-PROBLEM-007");
    EXPECT_EQ(nearest_name("ke", fields), "");
    EXPECT_EQ(nearest_name("kex", fields), "key");
    EXPECT_EQ(nearest_name("kxx", fields), "");
    EXPECT_EQ(nearest_name("weixx", fields), "");
    EXPECT_EQ(nearest_name("weigxx", fields), "weight");
    EXPECT_EQ(nearest_name("weixxx", fields), "");
}

TEST(nearest_name, is_the_first_of_equals) {
    EXPECT_EQ(nearest_name("rpmLimits", {"tpmLimit", "rpmLimit"}), "rpmLimit");
    EXPECT_EQ(nearest_name("xpmLimit", {"tpmLimit", "rpmLimit"}), "tpmLimit");
    EXPECT_EQ(nearest_name("a", {}), "");
}

} // namespace
} // namespace turnout::config
