#include <array>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "net/callback.hpp"

namespace turnout::net {
namespace {

/// Counts how many of its kind are alive.
struct counted {
    explicit counted(int& n) : alive(&n) { ++*alive; }
    counted(counted&& other) noexcept : alive(other.alive) { ++*alive; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    counted& operator=(counted&&) = delete;
    ~counted() { --*alive; }
    int operator()() const { return *alive; }
    int* alive;
};

TEST(callback, is_empty_until_it_holds_something) {
    callback<void()> none;
    EXPECT_FALSE(none);
    EXPECT_FALSE(callback<void()>(nullptr));
    EXPECT_TRUE(callback<void()>([] {}));
}

TEST(callback, passes_arguments_and_result) {
    callback<std::string(int, const std::string&)> repeat = [](int n, const std::string& s) {
        std::string all;
        for (int i = 0; i < n; ++i) all += s;
        return all;
    };
    EXPECT_EQ(repeat(3, "ab"), "ababab");
    EXPECT_EQ(repeat(1, "c"), "c");
}

TEST(callback, passes_what_can_only_be_moved) {
    callback<int(std::unique_ptr<int>)> read = [](std::unique_ptr<int> p) { return *p; };
    EXPECT_EQ(read(std::make_unique<int>(7)), 7);
}

TEST(callback, keeps_state_between_calls) {
    callback<int()> next = [n = 0]() mutable { return ++n; };
    EXPECT_EQ(next(), 1);
    auto moved = std::move(next);
    EXPECT_EQ(moved(), 2);
}

TEST(callback, holds_up_to_48_bytes) {
    std::array<char, 48> whole{};
    whole.back() = 'x';
    callback<char()> last = [whole] { return whole.back(); };
    auto moved = std::move(last);
    EXPECT_EQ(moved(), 'x');
}

TEST(callback, moves_what_it_holds_and_destroys_it_once) {
    int alive = 0;
    {
        callback<int()> first{counted(alive)};
        EXPECT_EQ(alive, 1);
        callback<int()> second = std::move(first);
        EXPECT_FALSE(first); // NOLINT(bugprone-use-after-move): empty is what is promised
        EXPECT_EQ(second(), 1);
        first = std::move(second);
        EXPECT_FALSE(second); // NOLINT(bugprone-use-after-move)
        EXPECT_EQ(alive, 1);
        first = callback<int()>{counted(alive)};
        EXPECT_EQ(alive, 1);
        first = nullptr;
        EXPECT_EQ(alive, 0);
        first = callback<int()>{counted(alive)};
        EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
}

TEST(callback, survives_being_moved_onto_itself) {
    callback<int()> f = [] { return 5; };
    auto& same = f;
    f = std::move(same);
    EXPECT_EQ(f(), 5);
}

} // namespace
} // namespace turnout::net
