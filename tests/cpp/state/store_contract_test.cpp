#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "state/memory_store.hpp"
#include "state/test_stores.hpp"

// What every store promises. A new back end is one more row at the end of this file.

namespace turnout::state {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr auto lease_time = std::chrono::seconds{60};

/// A store under test, and how its completions are brought about.
class back_end {
public:
    virtual ~back_end() = default;
    virtual store& under_test() = 0;
    virtual void turn() = 0;
};

class memory_back_end final : public back_end {
public:
    store& under_test() override { return store_; }
    void turn() override {}

private:
    memory_store store_{lease_time};
};

class deferred_back_end final : public back_end {
public:
    store& under_test() override { return deferred_; }
    void turn() override { loop_.turn(); }

private:
    memory_store store_{lease_time};
    hand_turned_loop loop_;
    deferred_store deferred_{store_, [this](std::function<void()> work) { loop_.defer(std::move(work)); }};
};

struct back_end_case {
    std::string name;
    std::unique_ptr<back_end> (*make)();
};

template <class BackEnd>
std::unique_ptr<back_end> make() {
    return std::make_unique<BackEnd>();
}

class store_contract : public testing::TestWithParam<back_end_case> {
protected:
    admission admit(std::vector<deployment_key> keys) {
        int completions = 0;
        admission result;
        back_end_->under_test().admit(now, keys, [&](state_error error, admission a) {
            EXPECT_EQ(error, state_error::none);
            ++completions;
            result = a;
        });
        back_end_->turn();
        EXPECT_EQ(completions, 1);
        return result;
    }

    std::vector<std::uint32_t> in_flight(std::vector<deployment_key> keys) {
        int completions = 0;
        std::vector<std::uint32_t> result;
        back_end_->under_test().read(now, keys, [&](state_error error, std::span<const std::uint32_t> counts) {
            EXPECT_EQ(error, state_error::none);
            ++completions;
            result.assign(counts.begin(), counts.end());
        });
        back_end_->turn();
        EXPECT_EQ(completions, 1);
        return result;
    }

    void renew(deployment_key key, lease_id lease) { back_end_->under_test().renew(now, key, lease); }
    void settle(deployment_key key, lease_id lease) { back_end_->under_test().settle(now, key, lease, {}); }

    base::instant now{1000s};

private:
    std::unique_ptr<back_end> back_end_ = GetParam().make();
};

TEST_P(store_contract, admits_the_first_that_is_asked_for) {
    const auto admitted = admit({4, 2, 9});
    EXPECT_EQ(admitted.chosen, 0U);
    EXPECT_NE(admitted.lease, 0U);
    EXPECT_THAT(in_flight({2, 4, 9}), ElementsAre(0, 1, 0));
}

TEST_P(store_contract, admits_nobody_of_nobody) {
    const auto admitted = admit({});
    EXPECT_EQ(admitted.chosen, std::nullopt);
    EXPECT_EQ(admitted.lease, 0U);
}

TEST_P(store_contract, gives_each_admission_a_lease_of_its_own) {
    const auto first = admit({0});
    const auto second = admit({0});
    const auto third = admit({1});
    EXPECT_NE(first.lease, second.lease);
    EXPECT_NE(second.lease, third.lease);
    EXPECT_THAT(in_flight({0, 1}), ElementsAre(2, 1));
}

TEST_P(store_contract, counts_down_when_an_attempt_is_settled) {
    const auto first = admit({0});
    const auto second = admit({0});
    settle(0, first.lease);
    EXPECT_THAT(in_flight({0}), ElementsAre(1));
    settle(0, second.lease);
    EXPECT_THAT(in_flight({0}), ElementsAre(0));
}

TEST_P(store_contract, changes_nothing_when_settled_twice) {
    const auto first = admit({0});
    const auto second = admit({0});
    settle(0, first.lease);
    settle(0, first.lease);
    EXPECT_THAT(in_flight({0}), ElementsAre(1));
    settle(0, second.lease);
    settle(0, second.lease);
    EXPECT_THAT(in_flight({0}), ElementsAre(0));
}

TEST_P(store_contract, changes_nothing_when_a_lease_that_was_never_given_is_settled) {
    settle(3, 77);
    EXPECT_THAT(in_flight({3}), ElementsAre(0));
    admit({3});
    EXPECT_THAT(in_flight({3}), ElementsAre(1));
}

// A lost owner frees its slot by the end of the lease, and not before
TEST_P(store_contract, ends_a_lease_that_is_not_renewed) {
    admit({0});
    now += lease_time - 1ms;
    EXPECT_THAT(in_flight({0}), ElementsAre(1));
    now += 1ms;
    EXPECT_THAT(in_flight({0}), ElementsAre(0));
}

// An attempt may last longer than a lease
TEST_P(store_contract, keeps_a_lease_that_is_renewed) {
    const auto admitted = admit({0});
    for (int i = 0; i < 10; ++i) {
        now += 20s;
        renew(0, admitted.lease);
    }
    now += lease_time - 1ms;
    EXPECT_THAT(in_flight({0}), ElementsAre(1));
    now += 1ms;
    EXPECT_THAT(in_flight({0}), ElementsAre(0));
}

TEST_P(store_contract, takes_a_lease_again_that_is_renewed_after_its_end) {
    const auto admitted = admit({0});
    now += lease_time + 5s;
    EXPECT_THAT(in_flight({0}), ElementsAre(0));
    renew(0, admitted.lease);
    EXPECT_THAT(in_flight({0}), ElementsAre(1));
    settle(0, admitted.lease);
    EXPECT_THAT(in_flight({0}), ElementsAre(0));
}

// Settled after its end: others are not counted down for it
TEST_P(store_contract, never_counts_below_what_is_in_flight) {
    const auto lost = admit({0});
    now += lease_time;
    admit({0});
    settle(0, lost.lease);
    EXPECT_THAT(in_flight({0}), ElementsAre(1));
}

TEST_P(store_contract, reads_the_same_key_as_often_as_it_is_asked_for) {
    admit({1});
    EXPECT_THAT(in_flight({1, 0, 1}), ElementsAre(1, 0, 1));
    EXPECT_THAT(in_flight({}), ElementsAre());
}

INSTANTIATE_TEST_SUITE_P(on, store_contract,
                         testing::Values(back_end_case{"memory", make<memory_back_end>},
                                         back_end_case{"deferred", make<deferred_back_end>}),
                         [](const auto& row) { return row.param.name; });

} // namespace
} // namespace turnout::state
