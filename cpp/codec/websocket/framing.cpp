#include "codec/websocket/framing.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include <wslay/wslay.h>

#include "codec/utf8.hpp"
#include "codec/websocket/frame_pieces.hpp"

namespace turnout::codec::websocket {
namespace {

constexpr std::size_t longest_reason = 123;
constexpr std::uint16_t first_late_code = 1012;
constexpr std::uint16_t last_late_code = 1014;

const std::uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

std::string_view cut(std::string_view reason) {
    if (reason.size() <= longest_reason) return reason;
    std::size_t end = longest_reason;
    while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0U) == 0x80U) --end;
    return reason.substr(0, end);
}

void check(int result) {
    if (result != 0) throw std::bad_alloc(); // the only way in which these calls fail
}

} // namespace

struct framing::state {
    state(side s, std::uint64_t most, base::random_source* m)
        : masks(m), masked(s == side::client ? 1 : 0), most_bytes(most) {
        const wslay_event_callbacks events{&on_recv, &on_send, &on_mask, &on_frame, &on_chunk, nullptr, &on_message};
        check(s == side::server ? wslay_event_context_server_init(&context, &events, this)
                                : wslay_event_context_client_init(&context, &events, this));
        wslay_event_config_set_no_buffering(context, 1);
        wslay_event_config_set_max_recv_msg_length(context, std::numeric_limits<std::uint64_t>::max());
        // Texts go past the queue, which would copy each of them into memory of its own.
        const wslay_frame_callbacks frames{&on_frame_send, nullptr, &on_frame_mask};
        const int made = wslay_frame_context_init(&texts, &frames, this);
        if (made != 0) wslay_event_context_free(context);
        check(made);
    }
    ~state() {
        wslay_frame_context_free(texts);
        wslay_event_context_free(context);
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;

    static state& of(void* self) { return *static_cast<state*>(self); }

    static ssize_t on_recv(wslay_event_context_ptr c, std::uint8_t* into, std::size_t size, int /*flags*/, void* self) {
        auto& input = of(self).input;
        if (input.empty()) {
            wslay_event_set_error(c, WSLAY_ERR_WOULDBLOCK);
            return -1;
        }
        const auto taken = std::min(size, input.size());
        std::memcpy(into, input.data(), taken);
        input.remove_prefix(taken);
        return static_cast<ssize_t>(taken);
    }

    static ssize_t on_send(wslay_event_context_ptr /*c*/, const std::uint8_t* data, std::size_t size, int /*flags*/,
                           void* self) {
        return on_frame_send(data, size, 0, self);
    }

    static ssize_t on_frame_send(const std::uint8_t* data, std::size_t size, int /*flags*/, void* self) {
        of(self).output.append(text_of(data, size));
        return static_cast<ssize_t>(size);
    }

    static int on_mask(wslay_event_context_ptr /*c*/, std::uint8_t* into, std::size_t size, void* self) {
        return on_frame_mask(into, size, self);
    }

    static int on_frame_mask(std::uint8_t* into, std::size_t size, void* self) {
        for (std::size_t i = 0; i < size; ++i) into[i] = static_cast<std::uint8_t>(of(self).masks->next() >> 56U);
        return 0;
    }

    static void on_frame(wslay_event_context_ptr c, const wslay_event_on_frame_recv_start_arg* frame, void* self) {
        auto& s = of(self);
        const bool of_message = wslay_is_ctrl_frame(frame->opcode) == 0;
        s.in_message = s.in_message || of_message;
        s.in_text = of_message && !s.closing();
        if (!s.in_text || frame->opcode != WSLAY_BINARY_FRAME) return;
        s.in_text = false;
        wslay_event_shutdown_read(c);
        s.close(close_code::unsupported_data, "text messages only");
    }

    static void on_chunk(wslay_event_context_ptr /*c*/, const wslay_event_on_frame_recv_chunk_arg* chunk, void* self) {
        auto& s = of(self);
        if (s.in_text && !s.incoming.dropped) s.incoming.text.append(text_of(chunk->data, chunk->data_length));
    }

    static void on_message(wslay_event_context_ptr /*c*/, const wslay_event_on_msg_recv_arg* m, void* self) {
        auto& s = of(self);
        if (m->opcode == WSLAY_TEXT_FRAME) {
            if (s.in_text) s.whole.push_back(std::exchange(s.incoming, {}));
            s.announced = 0;
            s.in_message = false;
        } else if (m->opcode == WSLAY_CONNECTION_CLOSE) {
            s.left =
                farewell{m->status_code == 0 ? close_code::none : m->status_code,
                         std::string(text_of(m->msg, m->msg_length).substr(std::min<std::size_t>(2, m->msg_length)))};
        }
    }

    void feed(std::string_view bytes) {
        while (!bytes.empty() && !too_large) {
            const auto piece = pieces.next(bytes);
            if (piece.broken) { // which wslay would answer without a code
                if (!closing()) close(close_code::protocol_error, {});
                wslay_event_shutdown_read(context);
            }
            // Before the frame is read: what is found wrong with it first depends on how much of it is there.
            too_large = piece.announced > most_bytes - announced && !closing();
            if (piece.bytes.empty() || too_large) return;
            if (piece.farewell && take_late_code(piece.bytes)) continue;
            if (!closing()) announced += piece.announced;
            input = piece.bytes;
            wslay_event_recv(context); // what went wrong is a close frame in the queue
            input = {};
            flush();
        }
    }

    /// wslay takes the codes of the standard for all that there are. Others were registered since (RFC 6455, 11.7): of an
    /// upstream that restarts, that is overloaded, and of a gateway before it. False: the frame is wslay's to judge.
    bool take_late_code(std::string_view frame) {
        const bool from_client = masked == 0;
        const std::size_t header = from_client ? 6 : 2;
        if (frame.size() < header + 2 || frame[0] != '\x88' || ((frame[1] & '\x80') != 0) != from_client) return false;
        std::string payload(frame.substr(header));
        for (std::size_t i = 0; from_client && i < payload.size(); ++i)
            payload[i] = static_cast<char>(payload[i] ^ frame[2 + i % 4]);
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(payload[at]); };
        const auto code = static_cast<std::uint16_t>(byte(0) << 8U | byte(1));
        payload.erase(0, 2);
        if (code < first_late_code || code > last_late_code || !is_utf8(payload)) return false;
        if (wslay_event_get_read_enabled(context) == 0) return true; // what it did not want to hear
        if (!closing()) close(code, payload);
        wslay_event_shutdown_read(context);
        left = farewell{code, std::move(payload)};
        return true;
    }

    /// wslay reads no more once it has made a close frame of its own.
    bool closing() const { return closed || wslay_event_get_read_enabled(context) == 0; }

    void close(std::uint16_t code, std::string_view reason) {
        closed = true;
        reason = cut(reason);
        wslay_event_queue_close(context, code, bytes_of(reason), reason.size());
        flush();
    }

    void flush() {
        while (part_left == 0 && wslay_event_want_write(context) != 0)
            if (wslay_event_send(context) != 0) break;
        if (!closing()) return;
        in_text = false;
        std::string().swap(incoming.text);
    }

    wslay_event_context_ptr context = nullptr;
    wslay_frame_context_ptr texts = nullptr;
    base::random_source* masks;
    std::uint8_t masked;
    const std::uint64_t most_bytes;
    std::uint64_t announced = 0; ///< of the message that is coming in
    bool too_large = false;
    frame_pieces pieces;
    std::string_view input; ///< while `feed` runs
    std::string output;
    message incoming;
    std::deque<message> whole;
    std::optional<farewell> left;
    bool in_text = false;
    bool in_message = false;
    bool closed = false;         ///< with a close frame of ours
    std::uint64_t part_left = 0; ///< bytes that lack of the text that is written
};

framing::framing(side s, std::uint64_t most_bytes, base::random_source* masks)
    : state_(std::make_unique<state>(s, most_bytes, masks)) {}

framing::~framing() = default;

void framing::feed(std::string_view bytes) { state_->feed(bytes); }

std::optional<message> framing::take() {
    if (state_->whole.empty()) return std::nullopt;
    message m = std::move(state_->whole.front());
    state_->whole.pop_front();
    return m;
}

bool framing::between_messages() const { return !state_->in_message && state_->pieces.between_frames(); }

std::size_t framing::incoming() const { return state_->incoming.text.size(); }

void framing::drop_message() {
    std::string().swap(state_->incoming.text);
    state_->incoming.dropped = true;
}

void framing::write_part(std::string_view part, std::uint64_t size) {
    if (closing()) return;
    auto& left = state_->part_left;
    if (left == 0) left = size;
    wslay_frame_iocb frame{};
    frame.fin = 1;
    frame.opcode = WSLAY_TEXT_FRAME;
    frame.payload_length = size;
    frame.mask = state_->masked;
    frame.data = bytes_of(part);
    frame.data_length = part.size();
    wslay_frame_send(state_->texts, &frame); // into a string, so that all of it goes at once
    left -= part.size();
    state_->flush();
}

void framing::ping() {
    if (closing()) return;
    const wslay_event_msg frame{WSLAY_PING, nullptr, 0};
    wslay_event_queue_msg(state_->context, &frame);
    state_->flush();
}

void framing::close(std::uint16_t code, std::string_view reason) {
    if (!closing()) state_->close(code, reason);
}

std::string& framing::output() { return state_->output; }

std::size_t framing::waiting() const {
    constexpr std::size_t entry = 64;
    return wslay_event_get_queued_msg_length(state_->context)
           + entry * wslay_event_get_queued_msg_count(state_->context);
}

bool framing::closing() const { return state_->closing(); }

std::uint16_t framing::sent_code() const {
    return wslay_event_get_close_sent(state_->context) != 0 ? wslay_event_get_status_code_sent(state_->context) : 0;
}

bool framing::too_large() const { return state_->too_large; }

const std::optional<farewell>& framing::left() const { return state_->left; }

} // namespace turnout::codec::websocket
