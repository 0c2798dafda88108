#include <string>

#include <gtest/gtest.h>

#include "net/base64.hpp"

namespace turnout::net {
namespace {

TEST(base64, follows_the_standard) { // RFC 4648, section 10
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xfb\xff"), "+/8=");
}

TEST(base64, of_urls_comes_back) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) {
        EXPECT_EQ(from_base64url(base64url(bytes)), bytes);
        bytes.push_back(static_cast<char>(i * 7));
    }
    EXPECT_EQ(base64url("\xfb\xff"), "-_8");
}

TEST(base64, of_urls_has_one_spelling) {
    EXPECT_EQ(from_base64url("Zg"), "f");
    for (const char* text :
         {"Zh", "Zg==", "Zg=", "Z", "Zm9vZ", " Zg", "Zg ", "Zg\n", "Z g", "+/8", "Zm9v!", "Zm9v===="})
        EXPECT_EQ(from_base64url(text), std::nullopt) << text;
}

} // namespace
} // namespace turnout::net
