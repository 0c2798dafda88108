#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/edits.hpp"

namespace turnout::codec {
namespace {

struct edit_case {
    std::string name;
    base::edit_list edits;
    std::string expected;
    std::size_t from = 0;
    std::size_t to = std::string_view::npos;
};

constexpr std::string_view body = "0123456789";

class edits : public testing::TestWithParam<edit_case> {};

TEST_P(edits, agree_in_size_copy_and_pieces) {
    const edit_case& c = GetParam();
    std::string out = "before|";
    apply(body, c.edits, out, c.from, c.to);
    EXPECT_EQ(out, "before|" + c.expected);
    EXPECT_EQ(edited_size(body, c.edits, c.from, c.to), c.expected.size());
    std::vector<std::string_view> pieces;
    gather(body, c.edits, pieces, c.from, c.to);
    std::string joined;
    for (const std::string_view piece : pieces) {
        EXPECT_FALSE(piece.empty());
        joined += piece;
    }
    EXPECT_EQ(joined, c.expected);
}

INSTANTIATE_TEST_SUITE_P(
    all, edits,
    testing::Values(edit_case{"none", {}, "0123456789"}, edit_case{"replace", {{2, 3, "ab"}}, "01ab56789"},
                    edit_case{"insert", {{2, 0, "ab"}}, "01ab23456789"}, edit_case{"remove", {{2, 3, ""}}, "0156789"},
                    edit_case{"at_both_ends", {{0, 1, "a"}, {9, 1, "b"}}, "a12345678b"},
                    edit_case{"append", {{10, 0, "x"}}, "0123456789x"},
                    edit_case{"neighbours", {{2, 1, "a"}, {3, 1, "b"}}, "01ab456789"},
                    edit_case{"all", {{0, 10, ""}}, ""}, edit_case{"range", {{4, 1, "x"}}, "23x56", 2, 7},
                    edit_case{"range_without_edits", {}, "234", 2, 5}),
    [](const auto& row) { return row.param.name; });

TEST(insert_sorted, keeps_the_order_of_offsets) {
    base::edit_list list;
    for (const std::size_t offset : {5U, 1U, 9U, 3U}) insert_sorted(list, {offset, 0, "x"});
    std::vector<std::size_t> offsets;
    for (const base::edit& e : list) offsets.push_back(e.offset);
    EXPECT_THAT(offsets, testing::ElementsAre(1, 3, 5, 9));
}

} // namespace
} // namespace turnout::codec
