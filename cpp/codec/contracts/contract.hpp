#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/edit.hpp"
#include "base/failure_report.hpp"
#include "codec/sse.hpp"

namespace turnout::codec {

/// Why a client's body was refused, before any upstream call.
struct request_problem {
    int status = 400;
    std::string code;    ///< stable; empty becomes null
    std::string param;   ///< the member at fault; empty becomes null
    std::string message; ///< names the field and what it wants
};

/// What a client goes on from, by the id that the gateway showed it.
struct earlier_id {
    std::string shown;      ///< as the client has it
    std::size_t offset = 0; ///< byte range of the value in the body, quotes included
    std::size_t length = 0;
    std::string upstream;      ///< what the deployment that made it calls it; whoever found that out fills it in
    std::string upstream_text; ///< likewise, as a JSON string
};

/// Turns the ids that one deployment gives what it keeps into those that one client sees.
class id_sealer {
public:
    virtual ~id_sealer() = default;
    /// The same id gives the same one again.
    virtual std::string seal(std::string_view upstream_id) const = 0;
};

/// The members of a client's body that the gateway reads; everything else is relayed unread.
struct contract_request {
    std::string model;            ///< decoded public model name
    std::size_t model_offset = 0; ///< byte range of the model's value in the body, quotes included
    std::size_t model_length = 0;
    bool stream = false;
    unsigned n = 1;             ///< choices asked for
    bool include_usage = false; ///< the client asked for usage on its stream
    /// What `upstream_edits` of the same contract needs beside the model: of chat what asks for usage on the stream, over a
    /// WebSocket what makes a message the body of a POST. May be empty.
    base::edit_list edits;
    std::unique_ptr<earlier_id> previous; ///< null if the request stands alone
};

struct token_usage {
    std::int64_t prompt = 0;
    std::int64_t completion = 0;
    std::int64_t total = 0;
};

/// What an attempt left on record although it succeeded. Names as in the documentation, e.g. `missing_done`.
enum class anomaly {
    missing_done,
    missing_finish_reason,
    missing_message_stop,
    missing_content_block_stop,
    empty_output,
    unclean_close,
    unmet_n,
    non_stream_answer,
    error_after_finish,
    malformed_keepalive,
};
std::string_view to_string(anomaly a);

/// A provider's count, if it can be one.
inline std::optional<std::uint64_t> trusted_count(std::int64_t count) {
    return count < 0 ? std::nullopt : std::optional{static_cast<std::uint64_t>(count)};
}

struct byte_range {
    std::size_t offset = 0;
    std::size_t length = 0;
};

/// A JSON answer that may be relayed with `edits`.
struct accepted_answer {
    base::edit_list edits; ///< model name (and other quirks)
    std::optional<token_usage> usage;
    std::vector<anomaly> anomalies;
    std::vector<byte_range> ids; ///< the strings, quotes included, that `add_id_edits` replaces
    std::size_t begin = 0;       ///< the JSON value's range in the body: blank space around it is dropped
    std::size_t end = 0;
};

using answer_verdict = std::variant<accepted_answer, base::failure_report>;

enum class frame_class {
    metadata, ///< hold it before commit, relay it after
    commits,  ///< first (or further) reasoning, content, refusal or tool frame; it may also finish: see `complete()`
    finished, ///< every choice is finished (or the terminal event came); completes without committing
    end,      ///< the end marker: nothing more is read
    error,    ///< an error frame; `failure()` says what
};

struct tracker_options {
    std::string public_model;
    unsigned n = 1;
    bool client_wants_usage = false;
    /// Of frames that the gateway writes before the upstream named an id; the protocol puts its own prefix before it.
    std::string fallback_id = "0";
    std::int64_t fallback_created = 0; ///< likewise; seconds since the Unix epoch
    const id_sealer* ids = nullptr;    ///< null: ids are shown as the upstream gave them
    /// Events that differ from the last one in nothing but their text are not read again; false: all are, to the same end.
    bool use_repetition = true;
};

/// Watches one stream of one attempt, and writes the client's bytes for it.
class stream_tracker {
public:
    virtual ~stream_tracker() = default;

    /// Judges one event and appends the client's framing of it to `out` (nothing for what is dropped: errors, hidden
    /// usage, end markers, which `close` writes).
    virtual frame_class on_event(const sse::event& e, std::string& out) = 0;

    /// Whether the data of an event that the end of the body cut off (no blank line after it) is whole, so that the
    /// event counts: give it to `on_event` then, before `on_end`.
    virtual bool is_whole(std::string_view data) const = 0;

    /// The upstream sent one JSON answer instead of a stream. Appends it as frames (without the end marker, which
    /// `close` writes) and is complete, or returns why the answer is none. Call it instead of `on_event`.
    virtual std::optional<base::failure_report> on_answer(std::string_view body, std::string& out) = 0;

    /// The body ended. `clean` = by its framing (last chunk, content length, or close where close is the framing).
    /// Returns nothing when the stream is complete, else the failure (stream_truncated).
    virtual std::optional<base::failure_report> on_end(bool clean) = 0;

    /// After completion: appends what is missing for the client (role, finish frames, end marker) and, where the
    /// protocol has a place for it, `unified_routing` (a JSON value; empty: the client did not ask for it). Also right
    /// when the driver gave up waiting for the end marker of a complete stream, which is recorded as an anomaly then.
    virtual void close(std::string& out, std::string_view unified_routing) = 0;

    /// The number of the next event, in protocols that number them.
    virtual std::int64_t next_sequence() const { return 0; }

    /// After `on_event` said `error`.
    virtual const base::failure_report& failure() const = 0;
    virtual std::optional<token_usage> usage() const = 0;
    virtual const std::vector<anomaly>& anomalies() const = 0;
    /// True once every choice is finished or the end marker came.
    virtual bool complete() const = 0;
};

/// What a client must be told, in words that are safe to show.
struct public_error {
    int status = 500;
    std::string type; ///< OpenAI error type
    std::string code; ///< empty becomes null
    std::string param;
    std::string message;
};

/// One client protocol. Stateless; one instance per protocol.
class contract {
public:
    virtual ~contract() = default;
    virtual std::string_view name() const = 0;

    virtual std::variant<contract_request, request_problem> parse_request(std::string_view body) const = 0;

    /// The edits that turn the client's body into the deployment's: model name, usage when `ask_usage`, and the id of
    /// what it goes on from. They view `upstream_model`, a JSON string, and the request.
    virtual base::edit_list upstream_edits(const contract_request& r, std::string_view upstream_model,
                                           bool ask_usage) const;

    /// The edits view `public_model`, a JSON string.
    virtual answer_verdict check_answer(std::string_view body, std::string_view public_model) const = 0;

    virtual std::unique_ptr<stream_tracker> make_tracker(tracker_options o) const = 0;

    /// Adds the edit that gives an accepted JSON answer a top-level member `unified_routing` (a JSON value),
    /// which the edit views.
    virtual void insert_metadata(std::string_view body, base::edit_list& edits,
                                 std::string_view unified_routing_json) const;

    /// Appends the JSON error body.
    virtual void write_error(std::string& out, const public_error& e, std::string_view request_id) const = 0;
    /// Appends the in-band error event with its framing; `sequence` is its number, in protocols that number events. No
    /// end marker follows it.
    virtual void write_error_event(std::string& out, const public_error& e, std::string_view request_id,
                                   std::int64_t sequence) const = 0;
};

} // namespace turnout::codec
