#include "net/entropy.hpp"

#include <unistd.h>

namespace turnout::net {

std::uint64_t entropy::next() {
    if (used_ == drawn_.size()) {
        // Fails for more bytes at a time only.
        static_cast<void>(::getentropy(drawn_.data(), sizeof drawn_) == 0);
        used_ = 0;
    }
    return drawn_[used_++];
}

} // namespace turnout::net
