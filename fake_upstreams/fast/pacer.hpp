#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace turnout::fast {

/// When the next token of each paced stream is due. The streams' phases are spread evenly over the period, whenever
/// they began: real streams know nothing of each other.
class pacer {
public:
    using instant = std::chrono::steady_clock::time_point;

    struct entry {
        instant due;
        std::chrono::nanoseconds period{};
        int fd = -1;
        std::uint64_t serial = 0;
        bool operator>(const entry& other) const { return due > other.due; }
    };

    void begin(int fd, std::uint64_t serial, std::uint64_t per_second, instant now) {
        const std::chrono::nanoseconds period =
            std::chrono::nanoseconds(std::chrono::seconds(1)) / static_cast<std::int64_t>(per_second);
        constexpr double golden = 0.6180339887498949;
        const double phase = std::fmod(static_cast<double>(begun_++) * golden, 1.0);
        const auto periods = now.time_since_epoch() / period + 1;
        const auto into =
            std::chrono::nanoseconds(static_cast<std::int64_t>(phase * static_cast<double>(period.count())));
        entries_.push({instant(periods * period + into), period, fd, serial});
    }

    /// The stream whose token is due first, when it is due by now.
    [[nodiscard]] std::optional<entry> take(instant now) {
        if (entries_.empty() || entries_.top().due > now) return std::nullopt;
        const entry first = entries_.top();
        entries_.pop();
        return first;
    }

    void again(entry stream) {
        stream.due += stream.period;
        entries_.push(stream);
    }

    [[nodiscard]] std::optional<instant> next() const {
        if (entries_.empty()) return std::nullopt;
        return entries_.top().due;
    }

private:
    std::priority_queue<entry, std::vector<entry>, std::greater<>> entries_;
    std::uint64_t begun_ = 0;
};

} // namespace turnout::fast
