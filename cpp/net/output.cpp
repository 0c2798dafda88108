#include "net/output.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace turnout::net {
namespace {

// A buffer that one slow client made big is not kept for the life of its connection.
constexpr std::size_t kept_capacity = std::size_t{64} * 1024;

iovec piece_of(std::string_view bytes) { return {const_cast<char*>(bytes.data()), bytes.size()}; }

} // namespace

// A client that takes what it gets, but never quite all of it, must not make the buffer grow for ever.
void output::keep(std::string_view rest) {
    if (sent_ >= kept_capacity && sent_ >= pending()) {
        pending_.erase(0, sent_);
        sent_ = 0;
    }
    pending_.append(rest);
}

void output::hold(std::initializer_list<std::string_view> pieces) {
    for (auto p : pieces) keep(p);
}

bool output::write(stream& to, std::initializer_list<std::string_view> pieces) {
    if (pending() > 0) {
        hold(pieces);
        return true;
    }
    std::array<iovec, 8> vectors{};
    assert(pieces.size() <= vectors.size());
    std::transform(pieces.begin(), pieces.end(), vectors.begin(), piece_of);
    const auto outcome = to.write({vectors.data(), pieces.size()});
    if (outcome.status == io_status::error || outcome.status == io_status::eof) return false;
    std::size_t skip = outcome.bytes;
    for (auto p : pieces) {
        const auto taken = std::min(skip, p.size());
        skip -= taken;
        keep(p.substr(taken));
    }
    waits_for_ = outcome.status == io_status::wait_read ? io_status::wait_read : io_status::wait_write;
    return true;
}

bool output::flush(stream& to) {
    while (pending() > 0) {
        const auto rest = std::string_view(pending_).substr(sent_);
        const auto piece = piece_of(rest);
        const auto outcome = to.write({&piece, 1});
        if (outcome.status == io_status::error || outcome.status == io_status::eof) return false;
        sent_ += outcome.bytes;
        if (outcome.status != io_status::ok) {
            waits_for_ = outcome.status;
            return true;
        }
        if (outcome.bytes == 0) return false;
    }
    clear();
    return true;
}

void output::clear() {
    pending_.clear();
    sent_ = 0;
    if (pending_.capacity() > kept_capacity) pending_.shrink_to_fit();
}

} // namespace turnout::net
