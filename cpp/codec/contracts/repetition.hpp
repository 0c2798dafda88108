#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "codec/contracts/event_writer.hpp"

namespace turnout::codec {

/// The tokens of a stream come in events that are alike but for a few values. The last event that was read is kept, and
/// one that differs from it in nothing but these needs no reading: what it means and what is written of it is known.
/// A tracker keeps only events that change nothing in it, or nothing but what it takes from the values.
class repetition {
public:
    static constexpr std::size_t most_values = 3;
    static constexpr std::size_t most_bytes = 2048; ///< of an event that is kept

    /// `used`: false keeps nothing, so that every event is read; for comparison.
    explicit repetition(bool used) : used_(used) {}

    /// Whether the event is the kept one with other values: strings that are not empty, integers from 1 on.
    bool matches(std::string_view name, std::string_view data);
    /// The number among the values of the event that matched, of which there is one at most; empty if there is none.
    std::string_view number() const { return number_; }
    /// Appends what is written of the event that matched.
    void write(std::string& out) const;

    /// Another event was read.
    void forget() { kept_ = false; }
    /// Keeps an event that `write_event` has written under the name `written`, with these patches. `values` are parts of
    /// `data`, strings without their quotes and numbers, that no patch touches; empty ones count as absent.
    void keep(std::string_view name, std::string_view written, std::string_view data, const std::vector<patch>& patches,
              std::initializer_list<std::string_view> values);

private:
    struct piece {
        std::size_t read_end;    ///< in `read_`
        std::size_t written_end; ///< in `written_`
    };

    bool worth_it();

    const bool used_;
    bool kept_ = false;
    unsigned in_vain_ = 0; ///< events kept since the last one that matched
    unsigned passed_ = 0;  ///< events not kept, since it was in vain
    std::size_t count_ = 0;
    std::string name_;
    std::string read_;    ///< the data between the values, piece after piece
    std::string written_; ///< what is written of each
    std::array<piece, most_values + 1> pieces_{};
    std::array<bool, most_values> numbers_{};
    std::array<std::string_view, most_values> values_{};
    std::string_view number_;
};

} // namespace turnout::codec
