#include <gtest/gtest.h>

#include "net/digest.hpp"

namespace turnout::net {
namespace {

// The test vectors of FIPS 180-2.
TEST(digest, is_sha256) {
    EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(digest, takes_bytes_of_any_value) { EXPECT_NE(sha256(std::string_view("a\0b", 3)), sha256("a")); }

TEST(digest, is_shown_by_its_first_digits) {
    EXPECT_EQ(hex(sha256("abc"), 12), "ba7816bf8f01");
    EXPECT_EQ(hex(sha256("abc"), 3), "ba7");
    EXPECT_EQ(hex(sha256("abc"), 0), "");
    EXPECT_EQ(hex(sha256("abc"), 100).size(), 64U);
}

TEST(digest, is_compared_whole) {
    const auto a = sha256("abc");
    auto b = a;
    EXPECT_TRUE(equal(a, b));
    b.back() ^= 1U;
    EXPECT_FALSE(equal(a, b));
    b = a;
    b.front() ^= 0x80U;
    EXPECT_FALSE(equal(a, b));
}

} // namespace
} // namespace turnout::net
