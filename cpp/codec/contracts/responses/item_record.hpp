#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace turnout::codec::responses {

/// The items of a stream, in case that its terminal event never comes and has to be made of them.
class item_record {
public:
    /// More bytes are not kept, which bounds the memory of a stream.
    static constexpr std::size_t most_bytes = std::size_t{1} << 20U;

    void open() { ++open_; }
    void finish(std::int64_t output_index, std::string_view item);
    void saw_output() { lost_ = lost_ || open_ == 0; }
    void lose() { lost_ = true; }

    /// Whether `list` would hold all that the client saw.
    bool whole() const { return open_ == 0 && !lost_; }
    /// The items as a JSON array, by output index.
    std::string list() const;

private:
    struct kept {
        std::int64_t output_index;
        std::size_t begin;
        std::size_t length;
    };

    std::size_t open_ = 0;
    bool lost_ = false; ///< something that the client saw is in no item that is kept
    std::string texts_;
    std::vector<kept> items_;
};

} // namespace turnout::codec::responses
