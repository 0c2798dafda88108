#include <array>
#include <cstddef>
#include <vector>

#include <gmock/gmock.h>

#include "base/random.hpp"

namespace turnout::base {
namespace {

/// Gives the numbers that the test wrote down.
class scripted final : public random_source {
public:
    explicit scripted(std::vector<std::uint64_t> numbers) : numbers_(std::move(numbers)) {}
    std::uint64_t next() override { return numbers_.at(used_++); }
    std::size_t used() const { return used_; }

private:
    std::vector<std::uint64_t> numbers_;
    std::size_t used_ = 0;
};

// The published first outputs for seed 1234567
TEST(splitmix, gives_the_reference_sequence) {
    splitmix random{1234567};
    EXPECT_EQ(random.next(), 6457827717110365317U);
    EXPECT_EQ(random.next(), 3203168211198807973U);
    EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(unit, stays_below_one) {
    scripted random({0, ~std::uint64_t{0}});
    EXPECT_EQ(random.unit(), 0.0);
    EXPECT_LT(random.unit(), 1.0);
}

// 2^64 = 1 mod 3, so one value, 0, would make the remainder 0 too frequent: it is drawn again
TEST(below, draws_again_what_would_favour_the_low_values) {
    scripted random({0, 1});
    EXPECT_EQ(random.below(3), 1U);
    EXPECT_EQ(random.used(), 2U);
}

// A power of two needs no second draw
TEST(below, takes_every_draw_for_a_power_of_two) {
    scripted random({0});
    EXPECT_EQ(random.below(8), 0U);
}

TEST(below, gives_zero_below_one) {
    scripted random({77});
    EXPECT_EQ(random.below(1), 0U);
}

} // namespace
} // namespace turnout::base
