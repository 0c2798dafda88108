#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "base/path_segment.hpp"

namespace turnout::base {
namespace {

TEST(path_segment, is_read_as_it_was_written) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    std::string written;
    write_path_segment(written, all);
    EXPECT_EQ(read_path_segment(written), all);
    EXPECT_EQ(read_path_segment(""), "");
    EXPECT_EQ(read_path_segment("a+b%5f%5F%2B"), "a+b__+");
}

TEST(path_segment, is_nothing_when_its_encoding_is_broken) {
    for (const auto* text : {"%", "%4", "a%4", "%g1", "%1g", "% 1", "%-1", "%41%"})
        EXPECT_EQ(read_path_segment(text), std::nullopt) << text;
}

} // namespace
} // namespace turnout::base
