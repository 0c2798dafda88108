#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "codec/coded.hpp"
#include "codec/content/brotli_decoder.hpp"
#include "codec/content/decoder.hpp"

namespace turnout::codec {
namespace {

const std::string text = [] {
    std::string s;
    for (int i = 0; i < 40; ++i) s += "data: {\"n\":" + std::to_string(i * 7919) + "}\n\n";
    return s;
}();

struct sample {
    const char* title;
    content_coding coding;
    std::string (*encode)(std::string_view text);
};

void PrintTo(const sample& s, std::ostream* out) { *out << s.title; }

struct outcome {
    std::string decoded;
    bool corrupt = false;
    bool whole = false;
};

/// Feeds copies that die as soon as the decoder may no longer look at them.
outcome decode(content_coding coding, const std::vector<std::string_view>& pieces) {
    const auto decoder = make_content_decoder(coding);
    outcome o;
    for (const auto piece : pieces) {
        const std::vector<char> copy(piece.begin(), piece.end());
        std::string_view input(copy.data(), copy.size());
        for (auto out = decoder->next(input); !out.empty(); out = decoder->next(input)) {
            o.decoded += out;
        }
        EXPECT_TRUE(input.empty() || decoder->corrupt());
    }
    o.corrupt = decoder->corrupt();
    o.whole = decoder->whole();
    return o;
}

class content_decoder_sample : public testing::TestWithParam<sample> {};

TEST_P(content_decoder_sample, is_split_anywhere) {
    RecordProperty("rules", "ENC-BODY-003");
    const auto coded = GetParam().encode(text);
    for (std::size_t i = 0; i <= coded.size(); ++i) {
        const std::string_view all = coded;
        const auto o = decode(GetParam().coding, {all.substr(0, i), all.substr(i)});
        ASSERT_EQ(o.decoded, text) << i;
        ASSERT_TRUE(o.whole && !o.corrupt) << i;
    }
    std::vector<std::string_view> bytes;
    for (const auto& byte : coded) bytes.emplace_back(&byte, 1);
    EXPECT_EQ(decode(GetParam().coding, bytes).decoded, text);
}

TEST_P(content_decoder_sample, is_whole_only_at_its_end) {
    RecordProperty("rules", "ENC-END-004");
    const auto coded = GetParam().encode(text);
    for (std::size_t i = 1; i < coded.size(); ++i) {
        const auto o = decode(GetParam().coding, {std::string_view(coded).substr(0, i)});
        ASSERT_FALSE(o.whole) << i;
        ASSERT_FALSE(o.corrupt) << i;
        ASSERT_TRUE(text.starts_with(o.decoded)) << i;
    }
}

TEST_P(content_decoder_sample, no_bytes_are_an_empty_body) {
    RecordProperty("rules", "ENC-END-004");
    EXPECT_TRUE(decode(GetParam().coding, {}).whole);
    EXPECT_TRUE(decode(GetParam().coding, {"", ""}).whole);
    const auto empty = decode(GetParam().coding, {GetParam().encode("")});
    EXPECT_TRUE(empty.whole && !empty.corrupt && empty.decoded.empty());
}

TEST_P(content_decoder_sample, bytes_behind_the_end_are_corrupt) {
    const auto coded = GetParam().encode(text);
    for (const auto* rest : {"\n", "xy", "{}"}) {
        for (const auto& o : {decode(GetParam().coding, {coded + rest}), decode(GetParam().coding, {coded, rest})}) {
            EXPECT_EQ(o.decoded, text);
            EXPECT_TRUE(o.corrupt || !o.whole);
        }
    }
    EXPECT_TRUE(decode(GetParam().coding, {coded + "garbage"}).corrupt);
}

TEST_P(content_decoder_sample, garbage_is_corrupt_for_ever) {
    const auto decoder = make_content_decoder(GetParam().coding);
    const std::string garbage(64, '\xff');
    std::string_view input = garbage;
    while (!decoder->next(input).empty()) {}
    ASSERT_TRUE(decoder->corrupt());
    const auto good = GetParam().encode(text);
    input = good;
    EXPECT_TRUE(decoder->next(input).empty());
    EXPECT_TRUE(decoder->corrupt());
    EXPECT_FALSE(decoder->whole());
}

TEST_P(content_decoder_sample, bombs_come_in_bounded_pieces) {
    RecordProperty("rules", "ENC-BOUND-001");
    const auto bomb = GetParam().encode(std::string(std::size_t{8} << 20U, '\0'));
    ASSERT_LT(bomb.size(), 10'000U);
    const auto decoder = make_content_decoder(GetParam().coding);
    std::string_view input = bomb;
    std::size_t total = 0;
    std::size_t largest = 0;
    for (auto out = decoder->next(input); !out.empty(); out = decoder->next(input)) {
        total += out.size();
        largest = std::max(largest, out.size());
    }
    EXPECT_EQ(total, std::size_t{8} << 20U);
    EXPECT_EQ(largest, content_decoder::piece_bytes);
    EXPECT_TRUE(decoder->whole());
}

INSTANTIATE_TEST_SUITE_P(codings, content_decoder_sample,
                         testing::Values(sample{"gzip", content_coding::gzip, gzipped},
                                         sample{"zlib", content_coding::deflate, zlib_deflated},
                                         sample{"raw_deflate", content_coding::deflate, raw_deflated},
                                         sample{"brotli", content_coding::brotli, brotli_encoded}),
                         [](const auto& s) { return s.param.title; });

TEST(content_decoder, members_of_gzip_are_one_body) {
    RecordProperty("rules", "ENC-BODY-004");
    const auto coded = gzipped("one ") + gzipped("") + gzipped("two");
    for (std::size_t i = 0; i <= coded.size(); ++i) {
        const std::string_view all = coded;
        const auto o = decode(content_coding::gzip, {all.substr(0, i), all.substr(i)});
        ASSERT_EQ(o.decoded, "one two") << i;
        ASSERT_TRUE(o.whole && !o.corrupt) << i;
    }
    EXPECT_FALSE(decode(content_coding::gzip, {gzipped("one ") + gzipped("two").substr(0, 5)}).whole);
    EXPECT_TRUE(decode(content_coding::deflate, {zlib_deflated("one") + zlib_deflated("two")}).corrupt);
    EXPECT_TRUE(decode(content_coding::brotli, {brotli_encoded("one") + brotli_encoded("two")}).corrupt);
}

TEST(content_decoder, members_end_where_a_piece_is_full) {
    const std::string full(content_decoder::piece_bytes, 'a');
    const auto o = decode(content_coding::gzip, {gzipped(full) + gzipped(full) + gzipped("b")});
    EXPECT_EQ(o.decoded, full + full + "b");
    EXPECT_TRUE(o.whole);
}

TEST(content_decoder, flushed_bytes_come_out_at_once) {
    const std::string event = "data: {\"a\":1}\n\n";
    for (const int window : {16 + MAX_WBITS, MAX_WBITS, -MAX_WBITS}) {
        const auto coded = deflated(event + event, window, event.size());
        const auto decoder = make_content_decoder(window > MAX_WBITS ? content_coding::gzip : content_coding::deflate);
        const auto flushed = coded.find(std::string_view("\x00\x00\xff\xff", 4));
        ASSERT_NE(flushed, std::string::npos);
        std::string_view input = std::string_view(coded).substr(0, flushed + 4);
        std::string decoded;
        for (auto out = decoder->next(input); !out.empty(); out = decoder->next(input)) decoded += out;
        EXPECT_EQ(decoded, event) << window;
    }
}

TEST(content_decoder, flushed_brotli_comes_out_at_once) {
    const std::string event = "data: {\"a\":1}\n\n";
    const std::unique_ptr<BrotliEncoderState, void (*)(BrotliEncoderState*)> encoder(
        BrotliEncoderCreateInstance(nullptr, nullptr, nullptr), BrotliEncoderDestroyInstance);
    const auto decoder = make_content_decoder(content_coding::brotli);
    for (const auto operation : {BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH}) {
        auto given = event.size();
        const auto* from = reinterpret_cast<const std::uint8_t*>(event.data());
        std::string coded(1024, '\0');
        auto left = coded.size();
        auto* to = reinterpret_cast<std::uint8_t*>(coded.data());
        ASSERT_NE(BrotliEncoderCompressStream(encoder.get(), operation, &given, &from, &left, &to, nullptr), 0);
        coded.resize(coded.size() - left);
        std::string_view input = coded;
        std::string decoded;
        for (auto out = decoder->next(input); !out.empty(); out = decoder->next(input)) decoded += out;
        EXPECT_EQ(decoded, event);
        EXPECT_EQ(decoder->whole(), operation == BROTLI_OPERATION_FINISH);
    }
}

TEST(content_decoder, brotli_looks_back_on_4_mib_at_most) {
    RecordProperty("rules", "ENC-BOUND-005");
    const struct {
        unsigned char first;
        unsigned bits;
    } rows[] = {{0xA1, 10}, {0xF4, 16}, {0x81, 17}, {0x13, 18}, {0x1B, 22},
                {0xCB, 22}, {0x1D, 23}, {0xCF, 24}, {0x11, 0}};
    for (const auto& row : rows) EXPECT_EQ(brotli_window_bits(row.first), row.bits) << int{row.first};
    for (const auto& [window, corrupt] : {std::pair{22, false}, {23, true}, {24, true}}) {
        const auto body = brotli_with_window(text, window);
        const auto o = decode(content_coding::brotli, {body});
        EXPECT_EQ(o.corrupt, corrupt) << window;
        EXPECT_EQ(o.decoded, corrupt ? "" : text) << window;
    }
}

TEST(content_decoder, only_what_it_reads_has_one) {
    EXPECT_EQ(make_content_decoder(content_coding::none), nullptr);
    EXPECT_EQ(make_content_decoder(content_coding::several), nullptr);
    EXPECT_EQ(make_content_decoder(content_coding::unknown), nullptr);
}

TEST(content_decoder, a_wrong_digest_is_corrupt) {
    for (const auto coding : {content_coding::gzip, content_coding::deflate}) {
        auto coded = coding == content_coding::gzip ? gzipped(text) : zlib_deflated(text);
        coded.back() = static_cast<char>(coded.back() ^ 1);
        const auto o = decode(coding, {coded});
        EXPECT_TRUE(o.corrupt);
        EXPECT_EQ(o.decoded, text);
    }
}

TEST(content_decoder, a_dictionary_that_nobody_has_is_corrupt) {
    EXPECT_TRUE(decode(content_coding::deflate, {std::string_view("\x78\xbb\x00\x00\x00\x01\x00\x00", 8)}).corrupt);
}

} // namespace
} // namespace turnout::codec
