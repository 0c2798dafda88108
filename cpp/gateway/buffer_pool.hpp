#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace turnout::gateway {

/// One loop's spare strings, so that a request finds its buffers grown already.
class buffer_pool {
public:
    /// An empty string, with capacity if one was given back.
    std::string take() {
        if (spare_.empty()) return {};
        std::string s = std::move(spare_.back());
        spare_.pop_back();
        return s;
    }

    void give(std::string&& s) {
        if (s.capacity() > largest_kept || spare_.size() == most_kept) return;
        s.clear();
        spare_.push_back(std::move(s));
    }

private:
    static constexpr std::size_t largest_kept = std::size_t{16} * 1024;
    static constexpr std::size_t most_kept = 256;

    std::vector<std::string> spare_;
};

} // namespace turnout::gateway
