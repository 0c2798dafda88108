#include "codec/http_date.hpp"

#include <algorithm>
#include <chrono>

namespace turnout::codec {
namespace {

// Not strftime: its names follow the locale of the process.
constexpr std::string_view days = "SunMonTueWedThuFriSat";
constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr std::string_view pattern = "date: Sun, 00 Jan 0000 00:00:00 GMT\r\n";

void put_number(char* last_digit, unsigned value, int digits) {
    for (; digits > 0; --digits, value /= 10) *last_digit-- = static_cast<char>('0' + value % 10);
}

} // namespace

std::string_view date_line::at(base::wall_ms now) {
    const auto second = now.value / 1000;
    if (second != second_) {
        static_assert(pattern.size() == std::tuple_size_v<decltype(text_)>);
        second_ = second;
        const std::chrono::sys_seconds instant{std::chrono::seconds(second)};
        const auto day = std::chrono::floor<std::chrono::days>(instant);
        const std::chrono::year_month_day date(day);
        const std::chrono::hh_mm_ss time(instant - day);
        std::copy(pattern.begin(), pattern.end(), text_.begin());
        const auto name = days.substr(std::size_t{3} * std::chrono::weekday(day).c_encoding(), 3);
        std::copy(name.begin(), name.end(), text_.begin() + 6);
        put_number(&text_[12], static_cast<unsigned>(date.day()), 2);
        const auto month = months.substr(std::size_t{3} * (static_cast<unsigned>(date.month()) - 1), 3);
        std::copy(month.begin(), month.end(), text_.begin() + 14);
        put_number(&text_[21], static_cast<unsigned>(static_cast<int>(date.year())), 4);
        put_number(&text_[24], static_cast<unsigned>(time.hours().count()), 2);
        put_number(&text_[27], static_cast<unsigned>(time.minutes().count()), 2);
        put_number(&text_[30], static_cast<unsigned>(time.seconds().count()), 2);
    }
    return {text_.data(), text_.size()};
}

} // namespace turnout::codec
