#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"

namespace turnout::net {

/// The kernel's chance, for what nobody may guess. No test can seed it.
class entropy final : public base::random_source {
public:
    std::uint64_t next() override;

private:
    std::array<std::uint64_t, 32> drawn_{}; ///< as many bytes as one call gives
    std::size_t used_ = drawn_.size();
};

} // namespace turnout::net
