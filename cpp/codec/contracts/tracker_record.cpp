#include "codec/contracts/tracker_record.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace turnout::codec {

const base::failure_report& tracker_record::failure() const {
    assert(failure_);
    return *failure_;
}

void tracker_record::note(anomaly a) {
    if (std::find(anomalies_.begin(), anomalies_.end(), a) == anomalies_.end()) anomalies_.push_back(a);
}

frame_class tracker_record::fail(base::failure_report report) {
    failure_ = std::move(report);
    return frame_class::error;
}

const std::optional<base::failure_report>& tracker_record::truncate() {
    base::failure_report report;
    report.origin = base::failure_origin::stream_truncated;
    fail(std::move(report));
    return failure_;
}

} // namespace turnout::codec
