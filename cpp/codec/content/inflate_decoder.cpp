#include "codec/content/inflate_decoder.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace turnout::codec {
namespace {

constexpr int with_gzip_header = 16 + MAX_WBITS;
constexpr int with_zlib_header = MAX_WBITS;
constexpr int without_header = -MAX_WBITS;

// RFC 1950: method 8, a window of at most 32 KiB, and both bytes together divisible by 31. Without the header the first
// byte would announce a stored block with padding that is not zero, which no encoder writes.
bool is_zlib_header(std::string_view two) {
    const auto first = static_cast<unsigned char>(two[0]);
    const auto second = static_cast<unsigned char>(two[1]);
    return (first & 0x0FU) == 8 && (first >> 4U) <= 7 && (first * 256U + second) % 31 == 0;
}

} // namespace

inflate_decoder::~inflate_decoder() {
    if (open_) inflateEnd(&stream_);
}

void inflate_decoder::open(int window) {
    if (inflateInit2(&stream_, window) != Z_OK) throw std::bad_alloc();
    open_ = true;
}

std::size_t inflate_decoder::inflate_into(std::string_view& input, char* room, std::size_t size, bool members) {
    stream_.next_out = reinterpret_cast<Bytef*>(room);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out > 0) {
        if (ended_) {
            if (input.empty()) break;
            if (!members) {
                give_up();
                break;
            }
            inflateReset(&stream_);
            ended_ = false;
        }
        const auto given = std::min<std::size_t>(input.size(), std::numeric_limits<uInt>::max());
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
        stream_.avail_in = static_cast<uInt>(given);
        const int outcome = inflate(&stream_, Z_SYNC_FLUSH);
        input.remove_prefix(given - stream_.avail_in);
        if (outcome == Z_STREAM_END) {
            ended_ = true;
        } else if (outcome == Z_BUF_ERROR) { // nothing left to decode, and nothing wrong
            break;
        } else if (outcome != Z_OK) {
            give_up();
            break;
        }
    }
    return size - stream_.avail_out;
}

std::size_t gzip_decoder::decode(std::string_view& input, char* room, std::size_t size) {
    if (input.empty() && !is_open()) return 0;
    begin();
    if (!is_open()) open(with_gzip_header);
    return inflate_into(input, room, size, true);
}

std::size_t deflate_decoder::decode(std::string_view& input, char* room, std::size_t size) {
    if (is_open()) return inflate_into(input, room, size, false);
    if (input.empty()) return 0;
    begin();
    const auto missing = std::min<std::size_t>(2 - head_.size(), input.size());
    head_.append(input.substr(0, missing));
    input.remove_prefix(missing);
    if (head_.size() < 2) return 0;
    open(is_zlib_header(head_) ? with_zlib_header : without_header);
    std::string_view head = head_;
    const auto decoded = inflate_into(head, room, size, false); // at most one byte, so that all of the head fits
    return decoded + inflate_into(input, room + decoded, size - decoded, false);
}

} // namespace turnout::codec
