#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "net/timers.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// A named timer that writes its name down when it fires, and then does what the test says.
struct alarm {
    alarm(std::string n, std::vector<std::string>& into)
        : name(std::move(n)),
          fired(into),
          deadline(
              [](void* c) {
                  auto* self = static_cast<alarm*>(c);
                  self->fired.push_back(self->name);
                  if (self->then) self->then();
              },
              this) {}

    std::string name;
    std::vector<std::string>& fired;
    callback<void()> then;
    timer deadline;
};

class timer_lists_test : public testing::Test {
protected:
    static constexpr base::instant start{1000s};

    timer_lists lists;
    std::vector<std::string> fired;
    alarm a{"a", fired};
    alarm b{"b", fired};
    alarm c{"c", fired};
};

TEST_F(timer_lists_test, are_armed_until_they_fire) {
    EXPECT_FALSE(a.deadline.armed());
    lists.arm(a.deadline, timer_kind::response, 10ms, start);
    EXPECT_TRUE(a.deadline.armed());
    EXPECT_TRUE(lists.armed(timer_kind::response));
    EXPECT_FALSE(lists.armed(timer_kind::idle));

    lists.expire(start + 10ms);
    EXPECT_FALSE(a.deadline.armed());
    EXPECT_TRUE(lists.empty());
    lists.expire(start + 20ms);
    EXPECT_THAT(fired, ElementsAre("a"));
}

TEST_F(timer_lists_test, fire_at_their_instant_and_not_a_nanosecond_before) {
    lists.arm(a.deadline, timer_kind::response, 10ms, start);
    lists.arm_at(b.deadline, timer_kind::wait, start + 10ms);

    lists.expire(start + 10ms - 1ns);
    EXPECT_THAT(fired, IsEmpty());
    lists.expire(start + 10ms);
    EXPECT_THAT(fired, ElementsAre("a", "b"));
}

TEST_F(timer_lists_test, fire_in_the_order_of_their_instants_whatever_their_kind_and_duration) {
    lists.arm(a.deadline, timer_kind::total, 30ms, start);
    lists.arm(b.deadline, timer_kind::response, 10ms, start + 15ms);
    lists.arm(c.deadline, timer_kind::response, 5ms, start + 1ms);

    EXPECT_EQ(lists.next_due(), start + 6ms);
    lists.expire(start + 1s);
    EXPECT_THAT(fired, ElementsAre("c", "b", "a"));
}

TEST_F(timer_lists_test, of_one_list_fire_in_the_order_in_which_they_were_armed) {
    for (auto* t : {&b, &a, &c}) lists.arm(t->deadline, timer_kind::idle, 10ms, start);

    lists.expire(start + 10ms);
    EXPECT_THAT(fired, ElementsAre("b", "a", "c"));
}

TEST_F(timer_lists_test, armed_again_count_from_then) {
    lists.arm(a.deadline, timer_kind::idle, 10ms, start);
    lists.arm(b.deadline, timer_kind::idle, 10ms, start);
    lists.arm(a.deadline, timer_kind::idle, 10ms, start + 4ms);

    lists.expire(start + 10ms);
    EXPECT_THAT(fired, ElementsAre("b"));
    lists.expire(start + 14ms);
    EXPECT_THAT(fired, ElementsAre("b", "a"));
}

TEST_F(timer_lists_test, armed_again_for_something_else_leave_the_first_kind) {
    lists.arm(a.deadline, timer_kind::client_head, 10ms, start);
    lists.arm(a.deadline, timer_kind::client_idle, 50ms, start);

    EXPECT_FALSE(lists.armed(timer_kind::client_head));
    EXPECT_TRUE(lists.armed(timer_kind::client_idle));
    lists.expire(start + 49ms);
    EXPECT_THAT(fired, IsEmpty());
}

TEST_F(timer_lists_test, cancelled_do_not_fire) {
    for (auto* t : {&a, &b, &c}) lists.arm(t->deadline, timer_kind::idle, 10ms, start);
    b.deadline.cancel();
    b.deadline.cancel();

    lists.expire(start + 10ms);
    EXPECT_THAT(fired, ElementsAre("a", "c"));
}

TEST_F(timer_lists_test, can_cancel_each_other_while_firing) {
    for (auto* t : {&a, &b, &c}) lists.arm(t->deadline, timer_kind::idle, 10ms, start);
    a.then = [this] {
        b.deadline.cancel();
        c.deadline.cancel();
    };

    lists.expire(start + 10ms);
    EXPECT_THAT(fired, ElementsAre("a"));
    EXPECT_TRUE(lists.empty());
}

TEST_F(timer_lists_test, can_be_armed_while_firing_and_fire_in_the_same_pass_if_due) {
    lists.arm(a.deadline, timer_kind::idle, 10ms, start);
    a.then = [this] {
        lists.arm(b.deadline, timer_kind::response, 5ms, start + 10ms);
        lists.arm(c.deadline, timer_kind::response, 15ms, start + 10ms);
    };

    lists.expire(start + 20ms);
    EXPECT_THAT(fired, ElementsAre("a", "b"));
    EXPECT_EQ(lists.next_due(), start + 25ms);
}

TEST_F(timer_lists_test, can_be_destroyed_while_another_fires) {
    auto mortal = std::make_unique<alarm>("mortal", fired);
    lists.arm(mortal->deadline, timer_kind::total, 10ms, start);
    lists.arm(a.deadline, timer_kind::total, 10ms, start);
    lists.arm(b.deadline, timer_kind::response, 9ms, start);
    b.then = [&mortal] { mortal.reset(); };

    lists.expire(start + 10ms);
    EXPECT_THAT(fired, ElementsAre("b", "a"));
}

TEST_F(timer_lists_test, for_an_instant_of_their_own_are_sorted_by_it) {
    lists.arm_at(a.deadline, timer_kind::wait, start + 30ms);
    lists.arm_at(b.deadline, timer_kind::wait, start + 10ms);
    lists.arm_at(c.deadline, timer_kind::wait, start + 20ms);

    EXPECT_EQ(lists.next_due(), start + 10ms);
    lists.expire(start + 30ms);
    EXPECT_THAT(fired, ElementsAre("b", "c", "a"));
}

TEST_F(timer_lists_test, for_the_same_instant_of_their_own_fire_in_the_order_in_which_they_were_armed) {
    for (auto* t : {&c, &a, &b}) lists.arm_at(t->deadline, timer_kind::wait, start + 10ms);

    lists.expire(start + 10ms);
    EXPECT_THAT(fired, ElementsAre("c", "a", "b"));
}

TEST_F(timer_lists_test, are_shown_with_the_request_they_belong_to) {
    const std::string request = "req_1";
    lists.arm(a.deadline, timer_kind::response, 10ms, start, &request);
    lists.arm_at(b.deadline, timer_kind::shutdown, start + 1s);

    const auto all = lists.snapshot();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].kind, timer_kind::response);
    EXPECT_EQ(all[0].request, "req_1");
    EXPECT_EQ(all[0].due, start + 10ms);
    EXPECT_EQ(all[1].kind, timer_kind::shutdown);
    EXPECT_EQ(all[1].request, "");
    EXPECT_EQ(all[1].due, start + 1s);
}

TEST_F(timer_lists_test, say_when_they_are_armed) {
    std::vector<std::string> kinds;
    lists.on_armed([&](timer_kind k) { kinds.emplace_back(to_string(k)); });
    lists.arm(a.deadline, timer_kind::response, 10ms, start);
    lists.arm_at(b.deadline, timer_kind::wait, start);
    lists.arm(a.deadline, timer_kind::idle, 10ms, start);

    EXPECT_THAT(kinds, ElementsAre("response", "wait", "idle"));
}

TEST_F(timer_lists_test, outlive_their_lists) {
    auto mortal = std::make_unique<timer_lists>();
    mortal->arm(a.deadline, timer_kind::response, 10ms, start);
    mortal->arm_at(b.deadline, timer_kind::wait, start);
    mortal.reset();

    EXPECT_FALSE(a.deadline.armed());
    EXPECT_FALSE(b.deadline.armed());
}

TEST(timer_kinds, have_names_that_lead_back_to_them) {
    for (int i = 0; i <= static_cast<int>(timer_kind::shutdown); ++i) {
        const auto kind = static_cast<timer_kind>(i);
        EXPECT_EQ(timer_kind_from(to_string(kind)), kind);
    }
    EXPECT_EQ(to_string(timer_kind::client_write), "client_write");
    EXPECT_EQ(timer_kind_from("lunch"), std::nullopt);
}

} // namespace
} // namespace turnout::net
