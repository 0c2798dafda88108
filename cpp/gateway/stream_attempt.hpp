#pragma once

#include <memory>

#include "codec/sse.hpp"
#include "gateway/attempt.hpp"
#include "net/recycled.hpp"

namespace turnout::gateway {

/// An attempt whose answer is an event stream, or a JSON value that is turned into one.
class stream_attempt final : public attempt, public net::recycled<stream_attempt> {
public:
    stream_attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer);

    void write_end(std::string_view metadata) override;
    std::int64_t next_sequence() const override { return tracker_->next_sequence(); }
    std::optional<codec::token_usage> usage() const override { return tracker_->usage(); }
    const std::vector<codec::anomaly>& anomalies() const override { return tracker_->anomalies(); }

private:
    enum class content { unknown, events, json };

    void on_answer_bytes(std::string_view bytes) override;
    void on_answer_parts_read() override { flush(); }
    bool committed() const override { return committed_; }
    void on_answer_end(bool clean, base::failure_origin origin) override;
    void on_events(std::string_view bytes);
    bool on_event(const codec::sse::event& e);
    bool release_held();
    void on_json_end(bool clean, base::failure_origin origin);
    /// Gives the client what has gathered; false when the attempt is over.
    bool flush();

    codec::sse::decoder decoder_;
    std::unique_ptr<codec::stream_tracker> tracker_;
    content content_ = content::unknown;
    std::string json_;
    bool committed_ = false;
};

} // namespace turnout::gateway
