#include <latch>
#include <thread>

#include "journal/entries.hpp"
#include "journal/log.hpp"
#include "journal/ring_rows.hpp"

namespace turnout::journal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Rows in memory, behind a door that a test may shut and a fault that it may switch on.
class obstructed_rows final : public row_store {
public:
    struct switches {
        std::mutex door;
        std::atomic<bool> broken{false};
        std::atomic<bool> unreadable{false};
        std::atomic<int> writes{0};
        std::atomic<std::size_t> written{0};
        std::atomic<bool> interrupted{false};
    };

    explicit obstructed_rows(switches& s) : switches_(s) {}

    void write(std::vector<entry_ptr>& batch) override {
        ++switches_.writes;
        const std::scoped_lock lock(switches_.door);
        if (switches_.broken) throw std::runtime_error("disk full");
        const auto rows = batch.size();
        inner_.write(batch);
        switches_.written += rows;
    }
    page list(const filter& f, std::size_t limit, std::size_t offset) override {
        if (switches_.unreadable) throw std::runtime_error("no such file");
        return inner_.list(f, limit, offset);
    }
    void interrupt() override { switches_.interrupted = true; }
    page get(std::int64_t number) override {
        if (switches_.unreadable) throw std::runtime_error("no such file");
        return inner_.get(number);
    }

private:
    switches& switches_;
    ring_rows inner_{1, 1000};
};

class log_test : public testing::Test {
protected:
    void make(log::options o) {
        made = std::make_unique<log>(
            std::make_unique<obstructed_rows>(switches),
            [this](std::string_view line) {
                const std::scoped_lock lock(mutex);
                said.emplace_back(line);
            },
            o);
    }
    std::vector<std::string> complaints() {
        const std::scoped_lock lock(mutex);
        return said;
    }

    obstructed_rows::switches switches;
    std::mutex mutex;
    std::vector<std::string> said;
    std::unique_ptr<log> made;
};

TEST_F(log_test, drops_the_oldest_of_too_many_that_wait) {
    RecordProperty("rules", "LOG-WRITE-003");
    make({.backlog = 3});
    {
        const std::scoped_lock shut(switches.door);
        append(*made, "in hand");
        while (switches.writes == 0) std::this_thread::yield(); // the writer stands before the door with that row
        for (const auto* id : {"1", "2", "3"}) append(*made, id);
        EXPECT_EQ(made->dropped(), 0U);
        append(*made, "4");
        append(*made, "5");
        EXPECT_EQ(made->dropped(), 2U);
    }
    EXPECT_THAT(ids(listed(*made)), ElementsAre("5", "4", "3", "in hand"));
    EXPECT_THAT(complaints(), ElementsAre(HasSubstr("rows dropped=2 ")));
}

TEST_F(log_test, keeps_rows_until_they_can_be_written) {
    RecordProperty("rules", "LOG-WRITE-004");
    make({});
    switches.broken = true;
    append(*made, "1");
    EXPECT_THAT(ids(listed(*made)), IsEmpty());
    append(*made, "2");
    EXPECT_THAT(ids(listed(*made)), IsEmpty());
    switches.broken = false;
    append(*made, "3");
    EXPECT_THAT(ids(listed(*made)), ElementsAre("3", "2", "1"));
    EXPECT_EQ(made->dropped(), 0U);
    EXPECT_THAT(complaints(),
                ElementsAre("operation log: cannot be written, rows wait: disk full", "operation log: written again"));
}

TEST_F(log_test, drops_the_oldest_of_rows_that_cannot_be_written) {
    make({.backlog = 2});
    switches.broken = true;
    append(*made, "1");
    append(*made, "2");
    listed(*made);
    EXPECT_EQ(made->dropped(), 0U);
    append(*made, "3");
    listed(*made);
    EXPECT_EQ(made->dropped(), 1U);
    switches.broken = false;
    EXPECT_THAT(ids(listed(*made)), ElementsAre("3", "2"));
}

TEST_F(log_test, says_what_is_lost_when_it_closes) {
    make({});
    switches.broken = true;
    append(*made, "1");
    made->close();
    EXPECT_THAT(complaints(), ElementsAre(HasSubstr("disk full"), "operation log: rows lost=1 at the end"));
}

TEST_F(log_test, writes_everything_before_it_closes_and_takes_nothing_after) {
    RecordProperty("rules", "LOG-WRITE-002");
    make({});
    append(*made, "1");
    append(*made, "2");
    EXPECT_THAT(ids(listed(*made)), ElementsAre("2", "1"));
    append(*made, "3");
    made->close();
    EXPECT_EQ(switches.written, 3);
    append(*made, "4");
    EXPECT_EQ(made->dropped(), 1U);
    EXPECT_FALSE(listed(*made));
    EXPECT_FALSE(found(*made, 1));
    made->close();
}

// Whoever stops the gateway does not wait for those who read.
TEST_F(log_test, answers_reads_that_wait_with_nothing_when_it_closes) {
    make({});
    std::latch reading(1);
    std::latch go_on(1);
    std::optional<page> first;
    made->list({}, 10, 0, [&](std::optional<page> p) {
        first = std::move(p);
        reading.count_down();
        go_on.wait();
    });
    reading.wait();
    int answers = 0;
    for (int i = 0; i < 3; ++i) made->list({}, 10, 0, [&](const std::optional<page>& p) { answers += p ? 100 : 1; });
    std::thread closing([&] { made->close(); });
    while (!switches.interrupted) std::this_thread::yield();
    go_on.count_down();
    closing.join();
    EXPECT_TRUE(first);
    EXPECT_EQ(answers, 3);
}

TEST_F(log_test, lets_no_more_reads_wait_than_it_may) {
    make({.most_reads = 2});
    std::latch reading(1);
    std::latch go_on(1);
    made->list({}, 10, 0, [&](const std::optional<page>&) {
        reading.count_down();
        go_on.wait();
    });
    reading.wait();
    std::atomic<int> found{0};
    std::atomic<int> refused{0};
    for (int i = 0; i < 3; ++i) made->list({}, 10, 0, [&](const std::optional<page>& p) { ++(p ? found : refused); });
    EXPECT_EQ(refused, 1);
    go_on.count_down();
    while (found != 2) std::this_thread::yield();
    EXPECT_TRUE(listed(*made));
}

TEST_F(log_test, says_that_rows_cannot_be_read) {
    make({});
    switches.unreadable = true;
    EXPECT_FALSE(listed(*made));
    EXPECT_FALSE(found(*made, 1));
    EXPECT_THAT(complaints(), ElementsAre("operation log: cannot be read: no such file", testing::_));
}

TEST_F(log_test, gives_the_memory_of_written_rows_out_again) {
    log l(std::make_unique<ring_rows>(1, 1));
    const std::string long_id(100, 'x');
    append(l, long_id);
    append(l, long_id); // pushes the first one out
    listed(l);
    const auto again = l.take();
    EXPECT_EQ(again->request_id, "");
    EXPECT_EQ(again->number, 0);
    EXPECT_GE(again->request_id.capacity(), 100U);
    EXPECT_LT(l.take()->request_id.capacity(), 100U);
}

TEST_F(log_test, keeps_no_more_spare_entries_than_it_may) {
    log l(std::make_unique<ring_rows>(1, 1), {}, {.spare = 2});
    for (int i = 0; i < 10; ++i) append(l, std::string(100, 'x'));
    listed(l);
    EXPECT_GE(l.take()->request_id.capacity(), 100U);
    EXPECT_GE(l.take()->request_id.capacity(), 100U);
    EXPECT_LT(l.take()->request_id.capacity(), 100U);
}

// A row that comes after a silence wakes the writer, although nobody asks for anything.
TEST_F(log_test, writes_without_being_asked_also_after_a_silence) {
    RecordProperty("rules", "LOG-WRITE-001");
    using namespace std::chrono_literals;
    make({.batch_every = 1ms, .watchful_for = 0ms});
    for (int i = 1; i <= 3; ++i) {
        append(*made, "row");
        while (switches.writes < i) std::this_thread::yield();
    }
}

TEST(attempt_list, keeps_the_memory_of_what_it_forgets) {
    attempt_list all;
    all.add().label = std::string(100, 'x');
    const auto* bytes = all[0].label.data();
    all.clear();
    EXPECT_TRUE(all.empty());
    EXPECT_EQ(all.add().label, "");
    EXPECT_EQ(all[0].label.data(), bytes);
}

} // namespace
} // namespace turnout::journal
