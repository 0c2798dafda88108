#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "net/write_batch.hpp"

namespace turnout::net {
namespace {

class write_batch_test : public testing::Test {
protected:
    struct writer final : batched_writer {
        explicit writer(std::function<void()> does) : does_(std::move(does)) {}
        void write_batched() override { does_(); }

    private:
        std::function<void()> does_;
    };

    writer& add(std::string name) {
        writers_.push_back(std::make_unique<writer>([this, name] { written_ += name; }));
        return *writers_.back();
    }

    /// A batch of so many writers that wait, made in the end; says how many of them did wait.
    std::size_t turn(std::size_t writers) {
        std::size_t waited = 0;
        for (std::size_t i = 0; i < writers; ++i) waited += batch_.defers(add("x")) ? 1U : 0U;
        batch_.flush();
        return waited;
    }

    unsigned scheduled_ = 0;
    std::string written_;
    std::vector<std::unique_ptr<writer>> writers_;
    write_batch batch_{[this] { ++scheduled_; }};
};

TEST_F(write_batch_test, makes_all_writes_in_order_at_the_end_of_the_turn) {
    for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(batch_.defers(add(name)));
    EXPECT_EQ(written_, "");
    EXPECT_EQ(scheduled_, 1U);
    batch_.flush();
    EXPECT_EQ(written_, "abc");
}

TEST_F(write_batch_test, knows_who_waits) {
    auto& w = add("a");
    EXPECT_FALSE(w.waits_to_write());
    batch_.defers(w);
    EXPECT_TRUE(w.waits_to_write());
    batch_.flush();
    EXPECT_FALSE(w.waits_to_write());
}

TEST_F(write_batch_test, schedules_each_turn_once) {
    turn(write_batch::worth_it);
    turn(write_batch::worth_it);
    EXPECT_EQ(scheduled_, 2U);
}

TEST_F(write_batch_test, keeps_who_writes_again_for_the_next_turn) {
    bool again = true;
    writer* w = nullptr;
    writer repeating([&] {
        written_ += "r";
        if (!std::exchange(again, false)) return;
        EXPECT_TRUE(batch_.defers(*w));
    });
    w = &repeating;
    batch_.defers(repeating);
    batch_.flush();
    EXPECT_EQ(written_, "r");
    EXPECT_EQ(scheduled_, 2U);
    batch_.flush();
    EXPECT_EQ(written_, "rr");
}

TEST_F(write_batch_test, goes_on_while_batches_are_worth_it) {
    EXPECT_EQ(turn(write_batch::worth_it), write_batch::worth_it);
    EXPECT_EQ(turn(1), 1U);
}

TEST_F(write_batch_test, lets_nobody_wait_for_a_while_after_a_small_batch) {
    EXPECT_EQ(turn(write_batch::worth_it - 1), write_batch::worth_it - 1);
    for (unsigned i = 0; i < write_batch::at_once; ++i) EXPECT_FALSE(batch_.defers(add("x"))) << i;
    EXPECT_TRUE(batch_.defers(add("x")));
}

TEST_F(write_batch_test, forgets_a_writer_that_is_destroyed) {
    {
        writer gone([this] { written_ += "gone"; });
        batch_.defers(gone);
    }
    batch_.flush();
    EXPECT_EQ(written_, "");
}

} // namespace
} // namespace turnout::net
