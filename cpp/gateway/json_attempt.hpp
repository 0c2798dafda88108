#pragma once

#include "codec/contracts/sealed_ids.hpp"
#include "gateway/attempt.hpp"
#include "net/recycled.hpp"

namespace turnout::gateway {

/// An attempt whose answer is one JSON value.
class json_attempt final : public attempt, public net::recycled<json_attempt> {
public:
    json_attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer);
    ~json_attempt() override;

    void write_end(std::string_view metadata) override;
    std::int64_t next_sequence() const override { return 0; }
    std::optional<codec::token_usage> usage() const override { return accepted_.usage; }
    const std::vector<codec::anomaly>& anomalies() const override { return accepted_.anomalies; }

private:
    void on_answer_bytes(std::string_view bytes) override;
    void on_answer_parts_read() override {}
    bool committed() const override { return false; }
    void on_answer_end(bool clean, base::failure_origin origin) override;

    std::string body_;
    codec::accepted_answer accepted_;
    codec::sealed_ids ids_;
};

} // namespace turnout::gateway
