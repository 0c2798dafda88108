#include "routing/recognition.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>

#include "base/ascii.hpp"
#include "routing/inner_status.hpp"

// Providers say the same thing with different codes, or with no code at all, and some only in a sentence. These lists
// hold what they were seen to say. Numbers and words such as "429" or "rate limit" are never searched for in a message
// to find a class, because messages quote the caller's prompt.

namespace turnout::routing {

namespace {

using list = std::span<const std::string_view>;

bool says_any(const provider_words& words, list codes) {
    return std::any_of(codes.begin(), codes.end(), [&](std::string_view c) { return words.says(c); });
}

bool message_has_any(const provider_words& words, list patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](std::string_view p) { return contains_in_order(words.message, p); });
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// `com.amazon.coral#ThrottlingException:http://...` is the same as `throttling`.
std::string plain_type(std::string type) {
    type.erase(std::min(type.find(':'), type.size()));
    if (const auto hash = type.rfind('#'); hash != std::string::npos) type.erase(0, hash + 1);
    constexpr std::string_view suffix = "exception";
    if (type.ends_with(suffix)) type.resize(type.size() - suffix.size());
    return type;
}

std::optional<std::uint64_t> leading_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    return value;
}

/// The first number that follows `label` directly.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view label) {
    for (auto at = text.find(label); at != std::string_view::npos; at = text.find(label, at + label.size())) {
        if (const auto number = leading_number(text.substr(at + label.size()))) return number;
    }
    return std::nullopt;
}

constexpr auto account_fault_codes = std::to_array<std::string_view>({
    "api_key_invalid",
    "invalid_api_key",
    "organization_on_hold",
    "expiredtoken",
    "incompletesignature",
    "invalidclienttokenid",
    "invalidsignature",
    "missingauthenticationtoken",
    "notauthorized",
    "requestexpired",
    "unrecognizedclient",
});
constexpr auto account_fault_phrases = std::to_array<std::string_view>({
    "api key not valid",
    "api key expired",
    "incorrect api key",
    "credit balance is too low",
    "reached your specified api usage limits",
    "operation not allowed",
});

constexpr auto context_codes = std::to_array<std::string_view>({
    "context_length_exceeded",
    "exceed_context_size_error",
    "model_context_window_exceeded",
});
constexpr auto context_phrases = std::to_array<std::string_view>({
    "maximum context length",
    "exceeds the context window",
    "context window of this model",
    "exceed context limit",
    "prompt is too long",
    "input is too long for requested model",
    "input tokens exceed the configured limit",
    "exceeds the maximum number of tokens allowed",
    "exceeds the available context size",
    "context size has been exceeded",
    "maximum prompt length is",
    "is longer than the model's context length",
    "model's maximum context limit",
    "too large for model with",
    "exceed model maximum",
    "`inputs` tokens + `max_new_tokens` must be",
    "too many tokens: total number of tokens",
    "prompt token count of*exceeds the limit of",
    "current length is*while limit is",
    "maximum input length is*tokens",
});
/// A minute's budget, not the model, was too small.
constexpr auto rate_phrases = std::to_array<std::string_view>({"tokens per min", "(tpm)", "rate limit"});

constexpr auto policy_codes = std::to_array<std::string_view>({
    "content_filter",
    "contentfilter",
    "content_filter_policy",
    "content_policy_violation",
    "image_content_policy_violation",
    "moderation_blocked",
    "responsibleaipolicyviolation",
    "flagged_input",
    "bio_policy",
    "cyber_policy",
    "misalignment_policy_violation",
});
constexpr auto policy_phrases = std::to_array<std::string_view>({
    "content management policy",
    "content filtering policy",
    "rejected as a result of our safety system",
    "violating our usage policy",
    "safety_violations",
    "flagged by moderation",
    "your input was flagged",
    "violates usage guidelines",
});

constexpr auto quota_codes = std::to_array<std::string_view>({
    "insufficient_quota",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
    "billing_hard_limit_reached",
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
});
/// Gemini words its limits per minute almost like OpenAI its exhausted quota; the address tells them apart.
constexpr auto quota_phrases = std::to_array<std::string_view>({
    "exceeded your current quota*platform.openai.com",
    "insufficient balance",
    "monthly*limit",
    "limit*monthly",
    "limited to*calls / month",
});

constexpr auto throttle_codes = std::to_array<std::string_view>({
    "429",
    "rate_limit_exceeded",
    "rate_limit_error",
    "ratelimitreached",
    "nocapacity",
    "capacity_exceeded",
    "resource_exhausted",
    "slow_down",
    "throttling",
    "servicequotaexceeded",
    "too_many_requests",
    "in_flight_budget_exhausted",
});

/// What a 404 may say is missing that is not the request's business.
constexpr auto deployment_words = std::to_array<std::string_view>({"model", "deployment", "profile"});

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

/// Ids hold any word, so that one counts only by itself: at the begin of what is nothing but letters.
bool names_deployment(std::string_view message) {
    while (!message.empty()) {
        const auto end = std::find_if_not(message.begin(), message.end(), base::is_in_word);
        const std::string_view word = message.substr(0, static_cast<std::size_t>(end - message.begin()));
        const bool plain = word == "model_not_found" || std::all_of(word.begin(), word.end(), is_letter);
        if (plain && std::any_of(deployment_words.begin(), deployment_words.end(), [&](std::string_view w) {
                return word.starts_with(w);
            }))
            return true;
        message.remove_prefix(std::max<std::size_t>(word.size(), 1));
    }
    return false;
}

constexpr auto missing_resource_phrases = std::to_array<std::string_view>({
    "previous response*not found",
    "with id*not found",
    "conversation*not found",
    "container*not found",
    "vector store*not found",
    "prompt*not found",
    "no such file",
    "file*not found",
    "video*not found",
});

} // namespace

provider_words read_words(const base::failure_report& report) {
    provider_words words{.status = report.status,
                         .code = base::lower_case(report.code),
                         .type = plain_type(base::lower_case(report.type)),
                         .param = base::lower_case(report.param),
                         .message = base::lower_case(report.message),
                         .in_band = report.origin != base::failure_origin::upstream_answer,
                         .asks_to_wait = report.retry_after.has_value(),
                         .daily_quota_spent = report.daily_quota_spent};
    if (words.in_band) words.status = inner_status(report.status, words.code, words.type);
    return words;
}

bool contains_in_order(std::string_view text, std::string_view pattern) {
    while (true) {
        const auto star = pattern.find('*');
        const auto fragment = pattern.substr(0, star);
        const auto at = text.find(fragment);
        if (at == std::string_view::npos) return false;
        if (star == std::string_view::npos) return true;
        text.remove_prefix(at + fragment.size());
        pattern.remove_prefix(star + 1);
    }
}

bool is_disguised_account_fault(const provider_words& words) {
    if (words.status == 403) return contains(words.message, "temporarily blocked");
    if (words.status != 400) return false;
    if (says_any(words, account_fault_codes) || message_has_any(words, account_fault_phrases)) return true;
    if (words.code.starts_with("cmek_")) return true;
    return words.says("failed_precondition")
           && (contains(words.message, "location") || contains(words.message, "billing"));
}

bool is_context_window(const provider_words& words) {
    if (says_any(words, context_codes)) return true;
    const bool may_say_so_in_words = words.status == 400 || words.status == 403 || words.status == 413
                                     || words.status == 422 || words.status == 500
                                     || (words.in_band && words.status != 429);
    return may_say_so_in_words && message_has_any(words, context_phrases) && !message_has_any(words, rate_phrases);
}

bool is_content_policy(const provider_words& words) {
    if (says_any(words, policy_codes) || words.code.starts_with("cyber_")) return true;
    if (words.says("invalid_prompt") && contains(words.message, "policy")) return true;
    const bool may_say_so_in_words = words.status == 400 || words.status == 403 || words.status == 422;
    return may_say_so_in_words && message_has_any(words, policy_phrases);
}

bool is_quota_exhausted(const provider_words& words) {
    if (says_any(words, quota_codes)) return true;
    return words.status == 429 && (words.daily_quota_spent || message_has_any(words, quota_phrases));
}

bool is_larger_than_rate_limit(const provider_words& words) {
    if (words.status == 413) return words.says("tokens") || words.says("rate_limit_exceeded");
    if (words.status != 429 || !contains(words.message, "request too large")) return false;
    const auto limit = number_after(words.message, "limit ");
    const auto requested = number_after(words.message, "requested ");
    return limit && requested && *requested > *limit;
}

bool is_throttle_code(const provider_words& words) {
    if (words.status == 402 && words.says("resource_exhausted")) return false; // the resource is prepaid money
    return says_any(words, throttle_codes);
}

bool asks_for_too_many_tokens(const provider_words& words) {
    return contains_in_order(words.message, "requires more credits*fewer max_tokens");
}

bool is_missing_resource(const provider_words& words) {
    if (words.says("previous_response_not_found") || words.says("conversation_not_found")) return true;
    if (words.says("model_not_found") || words.param == "model") return false;
    if (!words.param.empty()) return true;
    return !names_deployment(words.message) && message_has_any(words, missing_resource_phrases);
}

bool is_missing_operation(const provider_words& words) {
    if (words.status != 404 && words.status != 405 && words.status != 501) return false;
    return !words.says("model_not_found") && words.param != "model" && !names_deployment(words.message);
}

} // namespace turnout::routing
