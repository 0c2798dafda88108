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
    static constexpr std::size_t most_bytes = std::size_t{128} << 10U;

    void open(std::int64_t output_index);
    void finish(std::int64_t output_index, std::string_view item);
    /// Output came that is no item's.
    void saw_output() {
        if (open_.empty()) lose();
    }
    /// Something that the client saw is in no item that is kept: nothing is any more.
    void lose();

    /// Whether `list` would hold all that the client saw.
    bool whole() const { return open_.empty() && !lost_; }
    /// The items as a JSON array, by output index.
    std::string list() const;

private:
    struct kept {
        std::int64_t output_index;
        std::size_t begin;
        std::size_t length;
    };

    std::size_t size() const {
        return texts_.size() + items_.size() * sizeof(kept) + open_.size() * sizeof(std::int64_t);
    }

    std::vector<std::int64_t> open_; ///< output indexes, in the order of their items
    bool lost_ = false;
    std::string texts_;
    std::vector<kept> items_;
};

} // namespace turnout::codec::responses
