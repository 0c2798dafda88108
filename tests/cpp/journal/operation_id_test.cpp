#include <gtest/gtest.h>

#include "journal/operation_id.hpp"

namespace turnout::journal {
namespace {

TEST(operation_id, names_a_number_and_finds_it_again) {
    EXPECT_EQ(operation_id(1), "op_0000000000000001");
    EXPECT_EQ(operation_id(INT64_MAX), "op_7fffffffffffffff");
    EXPECT_EQ(operation_number("op_0000000000000001"), 1);
    EXPECT_EQ(operation_number("op_00000000000000ab"), 0xab);
    EXPECT_EQ(operation_number("op_7fffffffffffffff"), INT64_MAX);
}

TEST(operation_id, finds_nothing_in_other_texts) {
    for (const auto* other : {"", "op_", "op_1", "op_00000000000000001", "op_00000000000000AB", "op_000000000000000g",
                              "op_0000000000000000", "op_8000000000000000", "op_-000000000000001",
                              "op_+000000000000001", "oq_0000000000000001"})
        EXPECT_FALSE(operation_number(other)) << other;
}

TEST(operation_id, begins_later_logs_with_higher_numbers) {
    EXPECT_EQ(first_number({0}), 1);
    EXPECT_GT(first_number({1'700'000'000'001}), first_number({1'700'000'000'000}) + 1'000'000);
    EXPECT_EQ(first_number({-5}), 1);
    EXPECT_GT(first_number({INT64_MAX}), 0);
}

} // namespace
} // namespace turnout::journal
