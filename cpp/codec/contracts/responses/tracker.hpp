#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/contracts/event_writer.hpp"
#include "codec/contracts/repetition.hpp"
#include "codec/contracts/responses/event.hpp"
#include "codec/contracts/responses/item_record.hpp"
#include "codec/contracts/responses/kept_response.hpp"
#include "codec/contracts/sealed_ids.hpp"
#include "codec/contracts/tracker_record.hpp"

namespace turnout::codec::responses {

/// The terminal event is kept until `close`, since the gateway's metadata belongs inside its response. Nothing is read
/// after it.
class tracker final : public tracker_record {
public:
    explicit tracker(tracker_options options);

    frame_class on_event(const sse::event& e, std::string& out) override;
    bool is_whole(std::string_view data) const override;
    std::optional<base::failure_report> on_answer(std::string_view body, std::string& out) override;
    std::optional<base::failure_report> on_end(bool clean) override;
    void close(std::string& out, std::string_view unified_routing) override;
    std::int64_t next_sequence() const override { return next_; }
    std::optional<token_usage> usage() const override { return usage_; }
    bool complete() const override { return done_; }

private:
    frame_class on_typed_event(std::string_view name, std::string_view type, std::string_view data, std::string& out);
    void repeat(std::string& out);
    bool is_plain_delta() const;
    frame_class on_finished(std::string_view type, std::string_view data, std::string& out);
    frame_class end_with_items();
    frame_class on_error(std::string_view data);
    frame_class on_unreadable(std::string_view data);
    std::optional<std::string_view> type_of(std::string_view name);
    void count();
    void write_frame(std::string_view type, std::string_view data, std::string& out);
    void write_created(std::string& out, std::string_view response, std::int64_t number);
    std::int64_t number_before() const;
    void remember_response();
    void rename(std::string_view data);
    std::string_view shown(renamed what, std::string_view value);
    std::string public_response(std::string_view response);
    void hold_terminal(std::string_view data);
    bool make_terminal(const std::string& response);
    void settle();

    tracker_options options_;
    std::string model_; ///< the public one, a JSON string
    event_facts facts_;
    std::vector<patch> patches_;
    repetition repetition_;
    std::string type_text_; ///< a type that was not simply there to be viewed
    std::string type_member_;
    sealed_ids ids_;
    item_record items_;
    kept_response response_; ///< the last news of it, for a terminal event of the gateway's own
    std::string terminal_;   ///< data of the terminal event; `patches_` are for it then
    std::string_view terminal_type_ = "response.completed";
    std::string_view metadata_place_; ///< in `terminal_`: before the closing brace of its response
    bool terminal_response_empty_ = false;
    std::int64_t next_ = 0;
    bool started_ = false; ///< the client was told of the response
    bool output_ = false;  ///< there was some
    bool done_ = false;
    bool settled_ = false; ///< the anomalies of the end are on record
    std::optional<token_usage> usage_;
};

} // namespace turnout::codec::responses
