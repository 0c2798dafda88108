#include <array>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include "server/line_log.hpp"

namespace turnout::server {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;

TEST(line_log, writes_whole_lines_with_their_time_to_standard_error) {
    testing::internal::CaptureStderr();
    {
        line_log log;
        log.write("request=1");
    }
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                MatchesRegex("time=[0-9-]+T[0-9:]+\\.[0-9][0-9][0-9]Z request=1\n"));
}

// The destructor would wait for ever.
TEST(line_log, ends_although_nobody_reads_it) {
    RecordProperty("rules", "LIFE-STOP-009");
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const int before = ::dup(STDERR_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    {
        line_log log;
        for (int i = 0; i < 4'000; ++i) log.write(std::string(99, 'x'));
    }
    ::dup2(before, STDERR_FILENO);
    std::array<char, 1 << 20> taken{};
    EXPECT_GT(::read(ends[0], taken.data(), taken.size()), 4'096);
    for (const int d : {before, ends[0], ends[1]}) ::close(d);
}

TEST(line_log, keeps_the_lines_of_many_threads_whole_and_loses_none) {
    testing::internal::CaptureStderr();
    {
        line_log log;
        std::vector<std::thread> writers;
        for (int i = 0; i < 4; ++i)
            writers.emplace_back([&log, i] {
                for (int n = 0; n < 200; ++n)
                    log.write("writer=" + std::to_string(i) + " line=" + std::to_string(n) + ".");
            });
        for (auto& w : writers) w.join();
    }
    const auto all = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 800);
    for (int i = 0; i < 4; ++i) EXPECT_THAT(all, HasSubstr("writer=" + std::to_string(i) + " line=199."));
    EXPECT_EQ(all.find("dropped"), std::string::npos);
}

TEST(line_log, writes_nothing_for_nothing) {
    testing::internal::CaptureStderr();
    { line_log log; }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// More than 4 MiB before the writer comes to it is dropped, and counted.
TEST(line_log, drops_what_nobody_writes_fast_enough_and_says_how_much) {
    testing::internal::CaptureStderr();
    std::size_t written = 0;
    {
        line_log log;
        const std::string line(1 << 20U, 'x');
        for (int i = 0; i < 64; ++i) log.write(line);
    }
    const auto all = testing::internal::GetCapturedStderr();
    for (std::size_t at = 0; (at = all.find(std::string(1 << 20U, 'x'), at)) != std::string::npos; at += 1 << 20U)
        ++written;
    std::size_t dropped = 0;
    for (std::size_t at = 0; (at = all.find("log lines dropped=", at)) != std::string::npos; ++at)
        dropped += std::stoul(all.substr(at + 18));
    EXPECT_EQ(written + dropped, 64U);
}

} // namespace
} // namespace turnout::server
