#include <gtest/gtest.h>

#include "config/base_url.hpp"

namespace turnout::config {
namespace {

std::string normalized(std::string_view url) { return std::get<std::string>(normalize_base_url(url)); }

TEST(BaseUrl, LosesItsTrailingSlashes) {
    EXPECT_EQ(normalized("http://h"), "http://h");
    EXPECT_EQ(normalized("http://h/"), "http://h");
    EXPECT_EQ(normalized("http://h/v1//"), "http://h/v1");
}

TEST(BaseUrl, HasALowerCaseScheme) { EXPECT_EQ(normalized("HTTPS://Example.org/V1"), "https://Example.org/V1"); }

} // namespace
} // namespace turnout::config
