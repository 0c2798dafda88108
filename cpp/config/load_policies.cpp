#include "config/replaced_deadlines.hpp"
#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t most_attempts = 20;

/// What a document says about one policy. The rest stays as it is.
struct policy_patch {
    std::optional<base::milliseconds> response;
    std::optional<std::optional<base::milliseconds>> idle;
    std::optional<base::milliseconds> total;
    std::optional<std::int64_t> max_attempts;
};

void apply(execution_policy& policy, const policy_patch& patch) {
    assign(policy.response, patch.response);
    assign(policy.idle, patch.idle);
    assign(policy.total, patch.total);
    assign(policy.max_attempts, patch.max_attempts);
}

/// A JSON answer has no bytes to wait for before it is whole: `responseMs` is its only silence.
void refuse_idle(const field& f) {
    if (!f.node().IsNull()) {
        f.fail("must be null");
    }
}

void read_policy(const field& section, policy_patch& patch, const std::function<void(const field&)>& read_idle) {
    read_map(section,
             with_replaced_deadlines({
                 {"responseMs", [&](const field& f) { patch.response = read_duration(f); }},
                 {"idleMs", read_idle},
                 {"totalMs", [&](const field& f) { patch.total = read_duration(f); }},
                 {"maxAttempts", [&](const field& f) { patch.max_attempts = read_integer(f, 1, most_attempts); }},
             }));
}

void read_operation(const field& section, operation o, operation_policies& policies) {
    policy_patch json;
    policy_patch stream;
    const auto read_idle = [&](const field& f) { stream.idle = read_nullable_duration(f); };
    read_map(section, {
                          {"json", [&](const field& f) { read_policy(f, json, refuse_idle); }},
                          {"stream", [&](const field& f) { read_policy(f, stream, read_idle); }},
                      });
    apply(policies.json, json);
    if (streams_like_json(o)) {
        policies.stream = policies.json;
    }
    apply(policies.stream, stream);
}

} // namespace

void load_policies(const field& section, by_operation<operation_policies>& policies) {
    std::vector<member> members;
    for (const operation o : operations) {
        members.push_back({to_string(o), [&policies, o](const field& f) { read_operation(f, o, policies[o]); }});
    }
    read_map(section, members);
}

} // namespace turnout::config
