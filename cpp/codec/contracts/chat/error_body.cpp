#include "codec/contracts/chat/error_body.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace turnout::codec::chat {
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

/// `34.4s`, rounded up to whole milliseconds; nothing for what is no duration of up to a day.
std::optional<base::milliseconds> duration_of(std::string_view text) {
    if (!text.ends_with('s')) return std::nullopt;
    double seconds = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
    constexpr double day = 86400;
    if (error != std::errc{} || stop != end || !(seconds >= 0 && seconds <= day)) return std::nullopt;
    return base::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000.0 - 1e-6)));
}

/// Google's list of details: a reason is a better code than the number, and RetryInfo says how long to wait.
void read_detail_list(std::string_view array, error_facts& facts) {
    json::scanner s(array);
    if (!s.begin_array()) return;
    std::string_view element;
    while (s.next_element() && s.skip(element)) {
        const std::string reason = words(member(element, "reason"));
        if (!reason.empty()) facts.code = reason;
        const std::optional<base::milliseconds> wait = duration_of(words(member(element, "retryDelay")));
        if (wait) facts.retry_after = wait;
    }
}

/// FastAPI's `detail`: text, or a list of `{loc, msg, type}` of which the first is shown.
void read_detail(const json_value& detail, error_facts& facts) {
    if (detail.kind != json::kind::array) {
        fill(facts.message, words(detail));
        return;
    }
    const std::string_view first = first_element(detail.text).text;
    const std::string message = words(member(first, "msg"));
    fill(facts.message, message.empty() ? std::string(detail.text) : message);
    fill(facts.type, words(member(first, "type")));
}

void read_object(std::string_view object, error_facts& facts);

void read_error_member(const json_value& error, error_facts& facts) {
    if (error.kind == json::kind::object) {
        read_object(error.text, facts);
    } else {
        fill(facts.message, words(error));
    }
}

void read_member(const json::string_token& name, const json_value& value, error_facts& facts) {
    if (name.equals("message")) {
        fill(facts.message, words(value));
    } else if (name.equals("type")) {
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
    } else if (name.equals("detail")) {
        read_detail(value, facts);
    } else if (name.equals("details")) {
        if (value.kind == json::kind::array) read_detail_list(value.text, facts);
        fill(facts.code, words(member(value.text, "error_code")));
    } else if (name.equals("innererror")) {
        fill(facts.code, words(member(value.text, "code")));
    } else if (name.equals("metadata")) { // OpenRouter's moderation gives no code of its own
        if (member(value.text, "reasons").kind != json::kind::none
            || member(value.text, "flagged_input").kind != json::kind::none) {
            facts.code = "content_policy_violation";
        }
    }
}

/// An inner `error` is read first: what stands around it only fills gaps.
void read_object(std::string_view object, error_facts& facts) {
    const json_value inner = member(object, "error");
    if (is_error_value(inner.kind, inner.text)) read_error_member(inner, facts);
    for_each_member(object,
                    [&](const json::string_token& name, const json_value& value) { read_member(name, value, facts); });
}

struct words_of_status {
    int status;
    std::initializer_list<std::string_view> words;
};

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

int infer_status(const error_facts& facts) {
    if (facts.status != 0) return facts.status;
    std::string names = facts.code + ' ' + facts.type;
    std::transform(names.begin(), names.end(), names.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    static const std::initializer_list<words_of_status> table = {
        {429, {"insufficient_quota", "rate_limit", "resource_exhausted", "too_many_requests"}},
        {401, {"authentication", "invalid_api_key", "unauthenticated"}},
        {403, {"permission"}},
        {404, {"not_found", "notfound"}},
        {400,
         {"context_length", "context_size", "content_filter", "content_policy", "invalid", "bad_request",
          "badrequest"}},
        {503, {"overload", "unavailable"}},
        {504, {"timeout"}},
    };
    for (const words_of_status& row : table) {
        for (const std::string_view word : row.words) {
            if (names.find(word) != std::string::npos) return row.status;
        }
    }
    return 500;
}

base::failure_report in_band_failure(base::failure_origin origin, std::string_view body) {
    error_facts facts = read_error(body).value_or(error_facts{});
    base::failure_report report;
    report.origin = origin;
    report.status = infer_status(facts);
    report.code = std::move(facts.code);
    report.type = std::move(facts.type);
    report.param = std::move(facts.param);
    report.message = std::move(facts.message);
    report.retry_after = facts.retry_after;
    return report;
}

void write_error(std::string& out, const public_error& e) {
    const auto text_or_null = [&](std::string_view name, const std::string& text) {
        out += name;
        if (text.empty()) {
            out += "null";
        } else {
            json::write_json_string(out, text);
        }
    };
    out += R"({"error":{"message":)";
    json::write_json_string(out, e.message);
    out += R"(,"type":)";
    json::write_json_string(out, e.type);
    text_or_null(R"(,"param":)", e.param);
    text_or_null(R"(,"code":)", e.code);
    out += "}}";
}

} // namespace turnout::codec::chat
