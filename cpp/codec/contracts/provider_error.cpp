#include "codec/contracts/provider_error.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "base/ascii.hpp"

namespace turnout::codec {
namespace {

struct json_value {
    json::kind kind = json::kind::none;
    std::string_view text; ///< empty if there is none
};

/// Calls `visit(name, value)` for each member; `object` is valid JSON.
template <typename Visit>
void for_each_member(std::string_view object, Visit visit) {
    json::scanner s(object);
    if (s.peek() != json::kind::object || !s.begin_object()) return;
    json::string_token name;
    while (s.next_member(name)) {
        json_value value{s.peek(), {}};
        if (s.skip(value.text)) visit(name, value);
    }
}

/// The element at the front of an array that is valid JSON.
json_value first_element(std::string_view array) {
    json::scanner s(array);
    json_value value;
    if (s.begin_array() && s.next_element()) {
        value.kind = s.peek();
        s.skip(value.text);
    }
    return value;
}

json_value member(std::string_view object, std::string_view wanted) {
    json_value found;
    for_each_member(object, [&](const json::string_token& name, const json_value& value) {
        if (name.equals(wanted)) found = value;
    });
    return found;
}

/// A value as words: strings decoded, null nothing, anything else as it is written.
std::string words(const json_value& value) {
    if (value.kind == json::kind::null || value.kind == json::kind::none) return {};
    if (value.kind != json::kind::string) return std::string(value.text);
    return json::string_token{value.text.substr(1, value.text.size() - 2), true}.decode();
}

void fill(std::string& into, const std::string& words) {
    if (into.empty()) into = words;
}

/// The status that a number, or a string that is one, stands for.
int status_of(std::string_view text) {
    const std::optional<std::int64_t> number = json::to_integer(text);
    return number && *number >= 400 && *number <= 599 ? static_cast<int>(*number) : 0;
}

void fill_status(int& into, std::string_view text) {
    if (into == 0) into = status_of(text);
}

/// A decimal number of seconds, rounded up to whole milliseconds; nothing for what is none of up to a day.
std::optional<base::milliseconds> seconds_of(std::string_view text) {
    double seconds = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
    constexpr double day = 86400;
    if (error != std::errc{} || stop != end || !(seconds >= 0 && seconds <= day)) return std::nullopt;
    return base::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000.0 - 1e-6)));
}

/// `34.4s`, likewise.
std::optional<base::milliseconds> duration_of(std::string_view text) {
    if (!text.ends_with('s')) return std::nullopt;
    return seconds_of(text.substr(0, text.size() - 1));
}

template <typename Visit>
void for_each_element(std::string_view array, Visit visit) {
    json::scanner s(array);
    if (s.peek() != json::kind::array || !s.begin_array()) return;
    std::string_view element;
    while (s.next_element() && s.skip(element)) visit(element);
}

/// Google's list of details: a reason is a better code than the number, RetryInfo says how long to wait, and
/// QuotaFailure which quotas are used up. A day's is not refilled in the seconds that RetryInfo then gives.
void read_detail_list(std::string_view array, error_facts& facts) {
    for_each_element(array, [&](std::string_view element) {
        const std::string reason = words(member(element, "reason"));
        if (!reason.empty()) facts.code = reason;
        const std::optional<base::milliseconds> wait = duration_of(words(member(element, "retryDelay")));
        if (wait) facts.retry_after = wait;
        for_each_element(member(element, "violations").text, [&](std::string_view violation) {
            const bool daily = words(member(violation, "quotaId")).find("PerDay") != std::string::npos;
            facts.daily_quota_spent = facts.daily_quota_spent || daily;
        });
    });
    if (facts.daily_quota_spent) facts.retry_after.reset();
}

void read_object(std::string_view object, error_facts& facts);

/// A message that is an object of its own is read like an error; what is no text in the end is shown as it is written.
void read_message(const json_value& message, error_facts& facts) {
    if (message.kind == json::kind::object) read_object(message.text, facts);
    fill(facts.message, words(message));
}

/// FastAPI's `detail`: text, an object, or a list of `{loc, msg, type}` of which the first is shown.
void read_detail(const json_value& detail, error_facts& facts) {
    if (detail.kind != json::kind::array) {
        read_message(detail, facts);
        return;
    }
    const std::string_view first = first_element(detail.text).text;
    const std::string message = words(member(first, "msg"));
    fill(facts.message, message.empty() ? std::string(detail.text) : message);
    fill(facts.type, words(member(first, "type")));
}

/// What an inner error knows is closer to the cause.
void take_over(error_facts inner, error_facts& facts) {
    const auto take = [](std::string& into, std::string& from) {
        if (!from.empty()) into = std::move(from);
    };
    take(facts.code, inner.code);
    take(facts.type, inner.type);
    take(facts.param, inner.param);
    take(facts.message, inner.message);
    if (inner.retry_after) facts.retry_after = inner.retry_after;
    facts.daily_quota_spent = facts.daily_quota_spent || inner.daily_quota_spent;
}

/// More is not read as an error inside an error.
constexpr std::size_t longest_wrapped_error = std::size_t{64} << 10U;

/// OpenRouter: its moderation gives no code of its own, and what a provider said comes as JSON in a string.
void read_metadata(std::string_view metadata, error_facts& facts) {
    const json_value raw = member(metadata, "raw");
    const std::string said = raw.text.size() <= longest_wrapped_error ? words(raw) : std::string();
    if (std::optional<error_facts> inner = read_error(said)) {
        take_over(std::move(*inner), facts);
    } else if (raw.kind == json::kind::string && !said.empty() && !said.starts_with('<')) {
        facts.message = said;
    }
    if (member(metadata, "reasons").kind != json::kind::none
        || member(metadata, "flagged_input").kind != json::kind::none) {
        facts.code = "content_policy_violation";
    }
}

/// Over a WebSocket, which has no heads, an error has its headers inside.
void read_headers(std::string_view headers, error_facts& facts) {
    std::optional<std::int64_t> milliseconds;
    for_each_member(headers, [&](const json::string_token& name, const json_value& value) {
        const std::string lower = base::lower_case(name.decode());
        if (lower == "retry-after" && !facts.retry_after) facts.retry_after = seconds_of(words(value));
        if (lower == "retry-after-ms") milliseconds = json::to_integer(words(value));
    });
    constexpr std::int64_t day = 86'400'000;
    if (milliseconds && *milliseconds >= 0 && *milliseconds <= day)
        facts.retry_after = base::milliseconds(*milliseconds);
}

void read_error_member(const json_value& error, error_facts& facts) {
    if (error.kind == json::kind::object) {
        read_object(error.text, facts);
    } else {
        fill(facts.message, words(error));
    }
}

/// Members with more of the error inside.
void read_container(const json::string_token& name, const json_value& value, error_facts& facts) {
    if (name.equals("detail")) {
        read_detail(value, facts);
    } else if (name.equals("details")) {
        if (value.kind == json::kind::array) read_detail_list(value.text, facts);
        fill(facts.code, words(member(value.text, "error_code")));
    } else if (name.equals("innererror")) {
        fill(facts.code, words(member(value.text, "code")));
    } else if (name.equals("metadata")) {
        read_metadata(value.text, facts);
    } else if (name.equals("x_groq")) {
        read_error_member(member(value.text, "error"), facts);
    } else if (name.equals("headers")) {
        read_headers(value.text, facts);
    } else if (name.equals("errors") && value.kind == json::kind::array) {
        read_error_member(first_element(value.text), facts);
    }
}

void read_member(const json::string_token& name, const json_value& value, error_facts& facts) {
    if (name.equals("message") || name.equals("Message")) {
        read_message(value, facts);
    } else if (name.equals("type") || name.equals("error_type") || name.equals("__type")) {
        if (value.text != R"("error")") fill(facts.type, words(value));
    } else if (name.equals("param")) {
        fill(facts.param, words(value));
    } else if (name.equals("code")) {
        fill(facts.code, words(value));
        fill_status(facts.status, words(value));
    } else if (name.equals("status")) { // a number, or Google's name of the error
        fill_status(facts.status, words(value));
        if (value.kind == json::kind::string) fill(facts.type, words(value));
    } else if (name.equals("status_code") || name.equals("statusCode")) {
        fill_status(facts.status, words(value));
    } else {
        read_container(name, value, facts);
    }
}

/// An inner `error` is read first: what stands around it only fills gaps.
void read_object(std::string_view object, error_facts& facts) {
    const json_value inner = member(object, "error");
    if (is_error_value(inner.kind, inner.text)) read_error_member(inner, facts);
    for_each_member(object,
                    [&](const json::string_token& name, const json_value& value) { read_member(name, value, facts); });
}

} // namespace

bool is_error_value(json::kind kind, std::string_view value) {
    return kind == json::kind::object || (kind == json::kind::string && value.size() > 2);
}

std::optional<error_facts> read_error(std::string_view body) {
    if (!json::is_json(body)) return std::nullopt;
    json::scanner s(body);
    const json::kind kind = s.peek();
    std::string_view object;
    if (kind == json::kind::object) {
        s.skip(object);
    } else if (kind == json::kind::array) {
        object = first_element(body).text;
    }
    if (!object.starts_with('{')) return std::nullopt;
    error_facts facts;
    read_object(object, facts);
    return facts;
}

std::optional<error_facts> read_error_answer(std::string_view body) {
    const std::string_view text = json::trim(body);
    if (!text.starts_with('"') || !json::is_json(text)) return read_error(body);
    error_facts facts;
    facts.message = words({json::kind::string, text});
    return facts;
}

base::failure_report in_band_failure(base::failure_origin origin, std::string_view body) {
    error_facts facts = read_error(body).value_or(error_facts{});
    base::failure_report report;
    report.origin = origin;
    report.status = facts.status;
    report.code = std::move(facts.code);
    report.type = std::move(facts.type);
    report.param = std::move(facts.param);
    report.message = std::move(facts.message);
    report.retry_after = facts.retry_after;
    report.daily_quota_spent = facts.daily_quota_spent;
    return report;
}

base::failure_report malformed_body() {
    base::failure_report report;
    report.origin = base::failure_origin::malformed_body;
    return report;
}

void read_error_body(std::string_view body, base::failure_report& into) {
    std::optional<error_facts> facts = read_error_answer(body);
    if (!facts) return;
    into.code = std::move(facts->code);
    if (!facts->type.empty()) into.type = std::move(facts->type);
    into.param = std::move(facts->param);
    into.message = std::move(facts->message);
    into.daily_quota_spent = facts->daily_quota_spent;
    if (!into.retry_after) into.retry_after = facts->retry_after;
}

} // namespace turnout::codec
