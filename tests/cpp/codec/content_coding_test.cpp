#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "codec/content/coding.hpp"

namespace turnout::codec {

void PrintTo(content_coding coding, std::ostream* out) { *out << static_cast<int>(coding); }

namespace {

content_coding coding_of(const std::string& lines) {
    http1::parser parser(http1::message_kind::response);
    const std::string message = "HTTP/1.1 200 OK\r\n" + lines + "\r\n";
    std::string_view input = message;
    EXPECT_EQ(parser.next(input).type, http1::event_type::head);
    return read_content_coding(parser.current());
}

TEST(content_coding, names) {
    RecordProperty("rules", "ENC-NAME-001");
    EXPECT_EQ(coding_of("Content-Encoding: gzip\r\n"), content_coding::gzip);
    EXPECT_EQ(coding_of("content-encoding: X-GZip\r\n"), content_coding::gzip);
    EXPECT_EQ(coding_of("CONTENT-ENCODING: Deflate\r\n"), content_coding::deflate);
    EXPECT_EQ(coding_of("Content-Encoding: BR\r\n"), content_coding::brotli);
    EXPECT_EQ(coding_of("Content-Encoding: zstd\r\n"), content_coding::unknown);
    EXPECT_EQ(coding_of("Content-Encoding: compress\r\n"), content_coding::unknown);
    EXPECT_EQ(coding_of("Content-Encoding: brotli\r\n"), content_coding::unknown);
    EXPECT_EQ(coding_of("Content-Encoding: gzip;q=1\r\n"), content_coding::unknown);
}

TEST(content_coding, what_says_nothing) {
    RecordProperty("rules", "ENC-NAME-002");
    EXPECT_EQ(coding_of(""), content_coding::none);
    EXPECT_EQ(coding_of("Transfer-Encoding: chunked\r\nAccept-Encoding: gzip\r\n"), content_coding::none);
    EXPECT_EQ(coding_of("Content-Encoding:\r\n"), content_coding::none);
    EXPECT_EQ(coding_of("Content-Encoding: \r\n"), content_coding::none);
    EXPECT_EQ(coding_of("Content-Encoding: Identity\r\n"), content_coding::none);
    EXPECT_EQ(coding_of("Content-Encoding: ,, identity ,\r\n"), content_coding::none);
    EXPECT_EQ(coding_of("Content-Encoding: identity, \tgzip\r\n"), content_coding::gzip);
    EXPECT_EQ(coding_of("Content-Encoding: br\t,\r\nContent-Encoding: identity\r\n"), content_coding::brotli);
}

TEST(content_coding, several) {
    RecordProperty("rules", "ENC-NAME-002");
    EXPECT_EQ(coding_of("Content-Encoding: gzip, gzip\r\n"), content_coding::several);
    EXPECT_EQ(coding_of("Content-Encoding: deflate,br\r\n"), content_coding::several);
    EXPECT_EQ(coding_of("Content-Encoding: zstd, gzip, identity\r\n"), content_coding::several);
    EXPECT_EQ(coding_of("Content-Encoding: gzip\r\nX: y\r\nContent-Encoding: br\r\n"), content_coding::several);
}

} // namespace
} // namespace turnout::codec
