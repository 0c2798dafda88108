#include "routing/wall_time.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace turnout::routing {

namespace {

constexpr auto weekdays = std::to_array<std::string_view>({"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"});
constexpr auto long_weekdays =
    std::to_array<std::string_view>({"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"});
constexpr auto months = std::to_array<std::string_view>(
    {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});

/// Reads a text from left to right. After the first piece that does not fit, everything fails.
class cursor {
public:
    explicit cursor(std::string_view text) : rest_(text) {}

    void literal(std::string_view expected) {
        if (!rest_.starts_with(expected)) return fail();
        rest_.remove_prefix(expected.size());
    }

    /// A number of exactly `digits` digits.
    int number(std::size_t digits) {
        if (rest_.size() < digits) return fail(), 0;
        int value = 0;
        for (const char c : rest_.substr(0, digits)) {
            if (c < '0' || c > '9') return fail(), 0;
            value = value * 10 + (c - '0');
        }
        rest_.remove_prefix(digits);
        return value;
    }

    /// One of `names`, which all have three letters; its place among them from 1 on.
    template <std::size_t N>
    int one_of(const std::array<std::string_view, N>& names) {
        const auto found = std::find(names.begin(), names.end(), rest_.substr(0, 3));
        if (found == names.end()) return fail(), 0;
        rest_.remove_prefix(3);
        return static_cast<int>(found - names.begin()) + 1;
    }

    bool take(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    /// Digits after the point, of which milliseconds are kept.
    int fraction() {
        int value = 0;
        int scale = 100;
        std::size_t digits = 0;
        for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
            value += (rest_[digits] - '0') * scale;
            scale /= 10;
        }
        if (digits == 0) fail();
        rest_.remove_prefix(digits);
        return value;
    }

    bool at_end() const { return ok_ && rest_.empty(); }

private:
    void fail() {
        ok_ = false;
        rest_ = {};
    }

    std::string_view rest_;
    bool ok_ = true;
};

struct civil {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, millisecond = 0, offset_minutes = 0;
};

std::optional<base::wall_ms> to_wall(const civil& c) {
    using namespace std::chrono;
    const year_month_day date{year{c.year}, month{static_cast<unsigned>(c.month)}, day{static_cast<unsigned>(c.day)}};
    const bool in_range = date.ok() && c.hour < 24 && c.minute < 60 && c.second <= 60; // 60: a leap second
    if (!in_range) return std::nullopt;
    const milliseconds since_epoch = sys_days{date}.time_since_epoch() + hours{c.hour} + minutes{c.minute}
                                     + seconds{c.second} + milliseconds{c.millisecond} - minutes{c.offset_minutes};
    return base::wall_ms{since_epoch.count()};
}

void read_clock(cursor& in, civil& out) {
    out.hour = in.number(2);
    in.literal(":");
    out.minute = in.number(2);
    in.literal(":");
    out.second = in.number(2);
}

int read_offset(cursor& in) {
    const bool ahead = in.take('+');
    if (!ahead) in.literal("-");
    const int hours = in.number(2);
    in.literal(":");
    const int minutes = hours * 60 + in.number(2);
    return ahead ? minutes : -minutes;
}

std::optional<base::wall_ms> parse_imf_date(std::string_view text) {
    cursor in(text);
    civil c;
    in.one_of(weekdays);
    in.literal(", ");
    c.day = in.number(2);
    in.literal(" ");
    c.month = in.one_of(months);
    in.literal(" ");
    c.year = in.number(4);
    in.literal(" ");
    read_clock(in, c);
    in.literal(" GMT");
    if (!in.at_end()) return std::nullopt;
    return to_wall(c);
}

std::optional<base::wall_ms> parse_rfc850_date(std::string_view text) {
    const auto comma = std::min(text.find(','), text.size());
    const bool weekday =
        std::find(long_weekdays.begin(), long_weekdays.end(), text.substr(0, comma)) != long_weekdays.end();
    if (!weekday) return std::nullopt;
    cursor in(text.substr(comma));
    civil c;
    in.literal(", ");
    c.day = in.number(2);
    in.literal("-");
    c.month = in.one_of(months);
    in.literal("-");
    const int year = in.number(2);
    c.year = year < 70 ? 2000 + year : 1900 + year;
    in.literal(" ");
    read_clock(in, c);
    in.literal(" GMT");
    if (!in.at_end()) return std::nullopt;
    return to_wall(c);
}

std::optional<base::wall_ms> parse_asctime_date(std::string_view text) {
    cursor in(text);
    civil c;
    in.one_of(weekdays);
    in.literal(" ");
    c.month = in.one_of(months);
    in.literal(" ");
    c.day = in.take(' ') ? in.number(1) : in.number(2);
    in.literal(" ");
    read_clock(in, c);
    in.literal(" ");
    c.year = in.number(4);
    if (!in.at_end()) return std::nullopt;
    return to_wall(c);
}

} // namespace

std::optional<base::wall_ms> parse_http_date(std::string_view text) {
    if (const auto date = parse_imf_date(text)) return date;
    if (const auto date = parse_rfc850_date(text)) return date;
    return parse_asctime_date(text);
}

std::optional<base::wall_ms> parse_rfc3339(std::string_view text) {
    cursor in(text);
    civil c;
    c.year = in.number(4);
    in.literal("-");
    c.month = in.number(2);
    in.literal("-");
    c.day = in.number(2);
    in.literal("T");
    read_clock(in, c);
    if (in.take('.')) c.millisecond = in.fraction();
    if (!in.take('Z')) c.offset_minutes = read_offset(in);
    if (!in.at_end()) return std::nullopt;
    return to_wall(c);
}

} // namespace turnout::routing
