#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/contracts/event_writer.hpp"
#include "codec/contracts/messages/event.hpp"
#include "codec/contracts/messages/partial_json.hpp"
#include "codec/contracts/messages/usage.hpp"
#include "codec/contracts/repetition.hpp"
#include "codec/contracts/tracker_record.hpp"

namespace turnout::codec::messages {

class tracker final : public tracker_record {
public:
    explicit tracker(tracker_options options);

    frame_class on_event(const sse::event& e, std::string& out) override;
    bool is_whole(std::string_view data) const override;
    std::optional<base::failure_report> on_answer(std::string_view body, std::string& out) override;
    std::optional<base::failure_report> on_end(bool clean) override;
    void close(std::string& out, std::string_view unified_routing) override;
    std::optional<token_usage> usage() const override { return counts_.total(); }
    bool complete() const override { return stopped_ || finished_; }

private:
    struct open_block {
        std::int64_t index = 0;
        bool output = false; ///< some of it was seen
        partial_json input;  ///< of a call
    };

    frame_class on_message_start(std::string_view data, std::string& out);
    frame_class on_block_start(std::string_view data, std::string& out);
    frame_class on_block_delta(std::string_view name, std::string_view data, std::string& out);
    frame_class on_block_stop(std::string_view data, std::string& out);
    frame_class on_message_delta(std::string_view data, std::string& out);
    frame_class on_message_stop(std::string_view data);
    frame_class on_other(std::string_view name, std::string_view data, std::string& out);
    frame_class on_unreadable(std::string_view data);
    frame_class fail_unless_finished(base::failure_report report);

    void hide_models();
    std::int64_t give_index(std::int64_t missing);
    bool half_a_call() const;
    void write(std::string_view name, std::string_view data, std::string& out);
    void give_start(std::string& out);
    void stop_open_blocks(std::string& out);
    open_block* open_block_of(std::int64_t index); ///< null if none
    void commit(bool semantic) { committed_ = committed_ || semantic; }
    void settle(bool clean);

    tracker_options options_;
    std::string model_; ///< the public one, as a JSON string
    event_facts event_;
    std::vector<patch> patches_;
    repetition repetition_;
    std::string added_;            ///< members that the event at hand lacks
    std::string added_message_;    ///< likewise, inside its message
    std::string index_;            ///< instead of one that is none
    std::int64_t last_index_ = -1; ///< of the block that began last
    std::vector<open_block> open_blocks_;
    bool started_ = false;  ///< the client gets a message_start
    bool finished_ = false; ///< a stop reason came
    bool spoiled_ = false;  ///< after the finish: what follows, but for its end, may be of another message
    bool stopped_ = false;  ///< nothing more is read
    bool ended_ = false;    ///< message_stop came
    bool committed_ = false;
    bool tool_use_ = false;  ///< a tool that the client is to call
    bool half_call_ = false; ///< a block ended in the middle of its JSON
    bool settled_ = false;   ///< the anomalies of the end are on record
    std::string stop_data_;  ///< of the upstream's message_stop
    usage_counts counts_;
};

} // namespace turnout::codec::messages
