#include <algorithm>
#include <string>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "net/loopback.hpp"
#include "net/output.hpp"

namespace turnout::net {
namespace {

/// A connected pair whose near side has a small send buffer and whose far side reads only when told.
class output_test : public testing::Test {
protected:
    output_test() : near_(context_) {
        raw_listener port(4096);
        boost::asio::ip::tcp::endpoint where(boost::asio::ip::address_v4::loopback(), port.port());
        near_.socket().open(where.protocol());
        near_.socket().set_option(boost::asio::socket_base::send_buffer_size(4096));
        near_.socket().connect(where);
        near_.prepare();
        EXPECT_TRUE(port.accept(far_));
    }

    /// Writes until the kernel takes no more; everything that was written.
    std::string fill() {
        std::string all;
        while (out_.pending() == 0 && all.size() < (std::size_t{64} << 20U)) {
            const std::string piece(10'000, static_cast<char>('a' + all.size() / 10'000 % 26));
            EXPECT_TRUE(out_.write(near_, {piece}));
            all += piece;
        }
        return all;
    }

    /// Lets the far side read and the near side flush in turns, until nothing is pending.
    void drain() {
        for (int i = 0; i < 1'000'000 && out_.pending() > 0; ++i) {
            far_.read();
            EXPECT_TRUE(out_.flush(near_));
        }
        EXPECT_EQ(out_.pending(), 0U);
    }

    boost::asio::io_context context_;
    stream near_;
    raw_socket far_;
    output out_;
};

TEST_F(output_test, sends_pieces_in_order_and_keeps_nothing) {
    EXPECT_TRUE(out_.write(near_, {"one ", "", "two ", "three"}));
    EXPECT_EQ(out_.pending(), 0U);
    EXPECT_EQ(far_.read(), "one two three");
}

TEST_F(output_test, sends_nothing_for_nothing) {
    EXPECT_TRUE(out_.write(near_, {"", std::string_view()}));
    EXPECT_EQ(out_.pending(), 0U);
    EXPECT_EQ(far_.read(), "");
}

TEST_F(output_test, keeps_what_the_kernel_does_not_take_and_waits_to_write) {
    const auto all = fill();
    EXPECT_GT(out_.pending(), 0U);
    EXPECT_EQ(out_.waits_for(), io_status::wait_write);
    const auto before = out_.pending();
    EXPECT_TRUE(out_.write(near_, {"more", " and more"}));
    EXPECT_EQ(out_.pending(), before + 13);

    drain();
    EXPECT_EQ(far_.read(), all + "more and more");
}

// A client that is always a little behind never lets the buffer run empty.
TEST_F(output_test, does_not_grow_while_a_slow_reader_never_quite_catches_up) {
    fill();
    const std::string piece(50'000, 'z');
    std::size_t most = 0;
    std::size_t written = 0;
    while (written < 10'000'000) {
        ASSERT_TRUE(out_.write(near_, {piece}));
        written += piece.size();
        while (out_.pending() > 150'000) {
            far_.read();
            ASSERT_TRUE(out_.flush(near_));
        }
        ASSERT_GT(out_.pending(), 0U);
        most = std::max(most, out_.held());
    }
    EXPECT_LE(most, 500'000U);
}

TEST_F(output_test, drops_what_is_pending_when_cleared) {
    fill();
    out_.clear();
    EXPECT_EQ(out_.pending(), 0U);
    EXPECT_TRUE(out_.flush(near_));
}

TEST_F(output_test, says_that_the_connection_is_broken) {
    fill();
    far_.reset();
    EXPECT_FALSE(out_.flush(near_));
    out_.clear();
    EXPECT_FALSE(out_.write(near_, {"x"}));
}

} // namespace
} // namespace turnout::net
