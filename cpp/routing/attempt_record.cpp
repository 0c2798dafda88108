#include "routing/attempt_record.hpp"

namespace turnout::routing {
namespace {

attempt_effect effect_of(const attempt_record& attempt) {
    if (attempt.ok) return attempt_effect::success;
    switch (attempt.failure) {
    case failure_class::request:
    case failure_class::context_window:
    case failure_class::content_policy: return attempt_effect::request;
    case failure_class::throttle: return attempt_effect::throttle;
    case failure_class::transient: return attempt_effect::transient;
    case failure_class::configuration:
        return attempt.missing_path ? attempt_effect::missing_path : attempt_effect::configuration;
    case failure_class::incompatible:
    case failure_class::gateway: return attempt_effect::neutral;
    }
    return attempt_effect::neutral;
}

} // namespace

settlement settlement_of(const attempt_record& attempt, const attempt_measure& measure, double unit) {
    settlement how;
    how.effect = effect_of(attempt);
    how.counts = attempt.counts;
    how.unit = unit;
    if (attempt.ok) {
        how.took = measure.last_byte.value_or(attempt.ended) - attempt.started - measure.paused;
        how.total_tokens = measure.total_tokens;
        how.completion_tokens = measure.completion_tokens;
    } else if (attempt.failure == failure_class::throttle) {
        how.retry_after = attempt.report.retry_after;
        how.quota_exhausted = attempt.quota_exhausted;
    }
    return how;
}

} // namespace turnout::routing
