#pragma once

#include <optional>
#include <vector>

#include "codec/contracts/contract.hpp"

namespace turnout::codec {

/// What the trackers of all contracts keep on record: why the stream failed, and what was odd about it.
class tracker_record : public stream_tracker {
public:
    const base::failure_report& failure() const final;
    const std::vector<anomaly>& anomalies() const final { return anomalies_; }

protected:
    /// Once, however often it happens.
    void note(anomaly a);
    frame_class fail(base::failure_report report);
    const std::optional<base::failure_report>& failed() const { return failure_; }
    /// The stream ended before it was complete.
    const std::optional<base::failure_report>& truncate();

private:
    std::vector<anomaly> anomalies_;
    std::optional<base::failure_report> failure_;
};

} // namespace turnout::codec
