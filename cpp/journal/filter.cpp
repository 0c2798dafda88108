#include "journal/filter.hpp"

#include <algorithm>

namespace turnout::journal {
namespace {

template <class T>
bool fits(const std::optional<T>& wanted, const T& value) {
    return !wanted || *wanted == value;
}

bool some_attempt(const request_entry& e, const std::optional<std::string>& wanted, std::string attempt_entry::* text) {
    return !wanted || std::any_of(e.attempts.begin(), e.attempts.end(), [&](const attempt_entry& a) {
        return a.*text == *wanted;
    });
}

} // namespace

bool matches(const filter& f, const request_entry& e) {
    return fits(f.request_id, e.request_id) && fits(f.public_model, e.public_model) && fits(f.call_type, e.call_type)
           && fits(f.outcome, e.outcome) && fits(f.stream, e.stream) && fits(f.degraded, e.degraded)
           && (!f.min_duration || e.took >= *f.min_duration) && (!f.max_duration || e.took <= *f.max_duration)
           && (!f.start || e.started.value >= f.start->value) && (!f.end || e.started.value < f.end->value)
           && some_attempt(e, f.deployment, &attempt_entry::deployment)
           && some_attempt(e, f.adapter, &attempt_entry::adapter)
           && some_attempt(e, f.failure, &attempt_entry::failure);
}

} // namespace turnout::journal
