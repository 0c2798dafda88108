#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "net/server_capacity.hpp"

namespace turnout::net {

/// Text of a client that counts as request memory until it is let go.
class counted_text {
public:
    counted_text() = default;
    /// `counted` bytes were taken from `capacity`, which outlives this.
    counted_text(std::string text, server_capacity& capacity, std::size_t counted)
        : text_(std::move(text)), capacity_(&capacity), counted_(counted) {}
    ~counted_text() { release(); }

    counted_text(counted_text&& other) noexcept
        : text_(std::move(other.text_)), capacity_(other.capacity_), counted_(std::exchange(other.counted_, 0)) {}
    counted_text& operator=(counted_text&& other) noexcept {
        if (this == &other) return *this;
        release();
        text_ = std::move(other.text_);
        capacity_ = other.capacity_;
        counted_ = std::exchange(other.counted_, 0);
        return *this;
    }

    std::string& text() { return text_; }
    void release() {
        if (counted_ > 0) capacity_->remove_bytes(std::exchange(counted_, 0));
        std::string().swap(text_);
    }

private:
    std::string text_;
    server_capacity* capacity_ = nullptr;
    std::size_t counted_ = 0;
};

} // namespace turnout::net
