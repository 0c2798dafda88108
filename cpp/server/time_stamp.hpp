#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>

namespace turnout::server {

/// `time=2026-11-29T21:00:00.123Z `; the part up to the second is made once a second.
class time_stamp {
public:
    void append_to(std::string& out) {
        const auto now = std::chrono::system_clock::now();
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
        if (const auto second = static_cast<std::time_t>(ms / 1000); second != second_) {
            second_ = second;
            std::tm utc{};
            gmtime_r(&second_, &utc);
            length_ = std::strftime(text_.data(), text_.size(), "time=%Y-%m-%dT%H:%M:%S.", &utc);
        }
        const auto fraction = static_cast<unsigned>(ms % 1000);
        out.append(text_.data(), length_);
        out += static_cast<char>('0' + fraction / 100);
        out += static_cast<char>('0' + fraction / 10 % 10);
        out += static_cast<char>('0' + fraction % 10);
        out += "Z ";
    }

private:
    std::time_t second_ = -1;
    std::array<char, 40> text_{};
    std::size_t length_ = 0;
};

} // namespace turnout::server
