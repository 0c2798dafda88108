// What a client sends means the same however its bytes are split, from the request that asks for a WebSocket to its
// close frame; messages, pongs and the close frame are those of RFC 6455; nothing is kept beyond the limit of a message;
// and nothing is read once it is over.
//
// The first byte chooses: bit 0 a small limit, bit 1 a handshake comes first, bit 2 the server closes, bit 3 it lets go of
// the message that is coming in; the second is the size of the pieces, the third after how many bytes of frames the
// server does so. The rest is the connection.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "codec/http1.hpp"
#include "codec/websocket/framing.hpp"
#include "codec/websocket/handshake.hpp"
#include "input.hpp"
#include "naive_websocket.hpp"
#include "require.hpp"

namespace {

using namespace turnout;
using namespace turnout::codec;
using namespace turnout::codec::websocket;
using fuzz::require;

struct settings {
    std::size_t most_bytes = 100'000;
    bool handshake = false;
    bool closes = false;
    bool drops = false;
    std::size_t does_so_after = 0;
};

struct reading {
    int refused = 0; ///< the status, if the handshake was
    std::string key;
    bool began = false; ///< frames were read
    std::vector<std::pair<bool, std::string>> messages;
    std::optional<std::pair<unsigned, std::string>> left;
    std::string output;
    std::size_t incoming = 0;
    bool too_large = false;
    bool closing = false;
    unsigned sent_code = 0;
    bool operator==(const reading&) const = default;
};

/// The socket, driven as the server drives it.
class conversation {
public:
    explicit conversation(const settings& s) : settings_(s), frames_(framing::side::server, s.most_bytes) {}

    void feed(std::string_view bytes) {
        found_.began = true;
        if ((settings_.closes || settings_.drops) && fed_ <= settings_.does_so_after) {
            const std::string_view before = bytes.substr(0, settings_.does_so_after - fed_);
            read(before);
            bytes.remove_prefix(before.size());
            fed_ += before.size();
            if (fed_ < settings_.does_so_after) return;
            act();
            fed_ = settings_.does_so_after + 1;
        }
        read(bytes);
    }

    reading finish() {
        if (over_) read("\x81\x82\0\0\0\0hi");
        found_.output = frames_.output();
        found_.incoming = frames_.incoming();
        found_.too_large = frames_.too_large();
        found_.closing = frames_.closing();
        found_.sent_code = frames_.sent_code();
        if (const auto& left = frames_.left()) found_.left = {left->code, left->reason};
        return std::move(found_);
    }

private:
    void act() {
        if (settings_.drops) frames_.drop_message();
        if (!settings_.closes) return;
        frames_.close(close_code::going_away, "bye");
        require(frames_.incoming() == 0, "of a message that is not wanted any more, nothing is kept");
        over_ = true;
    }

    void read(std::string_view bytes) {
        frames_.feed(bytes);
        while (auto m = frames_.take()) {
            require(!over_, "no message is taken once it is over");
            require(m->text.size() <= settings_.most_bytes, "no message is larger than it may be");
            require(settings_.drops || !m->dropped, "only what was let go is missing");
            found_.messages.emplace_back(m->dropped, std::move(m->text));
        }
        require(frames_.incoming() <= settings_.most_bytes, "no more is kept than a message may have");
        if (frames_.too_large()) frames_.close(close_code::too_large);
        if (frames_.closing()) over_ = true;
    }

    const settings& settings_;
    framing frames_;
    reading found_;
    std::size_t fed_ = 0;
    bool over_ = false;
};

reading read(const settings& s, std::string_view bytes, std::size_t piece_size) {
    http1::parser parser{http1::message_kind::request};
    conversation frames(s);
    bool shaking_hands = s.handshake;
    reading refused;
    fuzz::feed_in_pieces(bytes, piece_size, [&](std::string_view piece) {
        if (shaking_hands) {
            const http1::event e = parser.next(piece);
            if (e.type == http1::event_type::need_more) return true;
            if (e.type != http1::event_type::head) return false;
            const auto read = read_handshake(parser.current());
            const auto naive = fuzz::read_handshake_naively(parser.current());
            if (const auto* problem = std::get_if<handshake_problem>(&read)) {
                refused.refused = problem->status;
                require(naive == std::variant<int, std::string>(problem->status), "what is refused is no handshake");
                return false;
            }
            refused.key = std::get<std::string_view>(read);
            require(naive == std::variant<int, std::string>(refused.key), "what is taken is a handshake");
            shaking_hands = false;
        }
        if (!piece.empty()) frames.feed(piece);
        return true;
    });
    reading found = frames.finish();
    found.refused = refused.refused;
    found.key = refused.key;
    return found;
}

/// Without a handshake, and with a server that only listens.
void check_frames(const settings& s, std::string_view bytes, const reading& seen) {
    const auto naive = fuzz::read_frames_naively(bytes, s.most_bytes);
    std::vector<std::string> messages;
    for (const auto& [dropped, text] : seen.messages) messages.push_back(text);
    require(messages == naive.messages, "the messages are those of the standard");
    require(seen.left == naive.left, "the client leaves as the standard says");
    require(seen.too_large == naive.too_large, "what is announced beyond the limit is too large, and nothing else");
    require(std::string_view(seen.output).starts_with(naive.output), "what is answered is what the standard says");
    const std::string_view more = std::string_view(seen.output).substr(naive.output.size());
    if (naive.too_large) {
        require(more == "\x88\x02\x03\xF1", "what is too large is answered by its code alone");
    } else if (naive.unread.empty()) {
        require(more.empty() && seen.closing == naive.closed, "nothing else is answered");
    } else {
        require(more.empty() || (more.front() == '\x88' && seen.closing),
                "what is wrong with half a frame is said by a close frame");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input given(data, size);
    const std::uint8_t choice = given.byte();
    const std::size_t piece = std::size_t{1} + given.byte();
    settings s;
    if ((choice & 1U) != 0) s.most_bytes = 40;
    s.handshake = (choice & 2U) != 0;
    s.closes = (choice & 4U) != 0;
    s.drops = (choice & 8U) != 0;
    s.does_so_after = given.byte();
    const std::string_view bytes = given.rest();

    const reading whole = read(s, bytes, bytes.size());
    require(whole == read(s, bytes, piece), "a connection means the same in pieces");
    require(whole == read(s, bytes, 1), "a connection means the same byte by byte");
    require(whole.output.size() <= bytes.size() + 127, "no more is answered than was asked, and a close frame");
    if (!s.handshake && !s.closes && !s.drops) check_frames(s, bytes, whole);
    return 0;
}
