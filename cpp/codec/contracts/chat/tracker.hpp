#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/contracts/chat/chunk_writer.hpp"
#include "codec/contracts/chat/frame.hpp"
#include "codec/contracts/event_writer.hpp"
#include "codec/contracts/repetition.hpp"
#include "codec/contracts/tracker_record.hpp"

namespace turnout::codec::chat {

class tracker final : public tracker_record {
public:
    explicit tracker(tracker_options options);

    frame_class on_event(const sse::event& e, std::string& out) override;
    bool is_whole(std::string_view data) const override;
    std::optional<base::failure_report> on_answer(std::string_view body, std::string& out) override;
    std::optional<base::failure_report> on_end(bool clean) override;
    void close(std::string& out, std::string_view unified_routing) override;
    std::optional<token_usage> usage() const override { return usage_; }
    bool complete() const override { return done_ || all_finished(); }

private:
    struct choice_state {
        std::int64_t index = 0;
        bool role = false; ///< the client has been told one
        bool finished = false;
        bool tool_calls = false;
        bool function_call = false;
    };

    frame_class on_chunk(std::string_view name, std::string_view data, std::string& out);
    frame_class on_error(std::string_view data);
    frame_class on_unreadable(std::string_view data);
    frame_class fail_unless_finished(base::failure_report report);
    void write_frame(std::string_view data, std::string& out);
    bool is_plain_text() const;
    const choice_facts* failed_choice() const; ///< null if none
    void follow(const choice_facts& choice);
    void give_role(const choice_facts& choice, choice_state& state);
    void remember_envelope();
    choice_state* state_of(std::int64_t index);
    bool all_seen_finished() const { return finished_ == choices_.size(); }
    bool all_finished() const { return choices_.size() >= options_.n && all_seen_finished(); }
    void settle(bool clean);

    tracker_options options_;
    chunk_envelope envelope_; ///< of the last frame
    frame_facts frame_;
    std::vector<patch> patches_;
    repetition repetition_;
    std::vector<choice_state> choices_; ///< those seen
    std::size_t finished_ = 0;          ///< how many of them are
    bool committed_ = false;
    bool done_ = false;    ///< the end marker came
    bool settled_ = false; ///< the anomalies of the end are on record
    std::optional<token_usage> usage_;
};

} // namespace turnout::codec::chat
