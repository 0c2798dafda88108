#include "config/scalars.hpp"

#include "codec/utf8.hpp"
#include "config/env_reference.hpp"
#include "config/known_names.hpp"
#include "config/plain_scalar.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t longest_duration = 3'600'000;
constexpr std::int64_t most_seconds = 86'400;

/// The scalar's text if it was written without quotes and without a tag.
std::optional<std::string_view> plain_text(const YAML::Node& node) {
    if (node.IsScalar() && node.Tag() == "?") {
        return node.Scalar();
    }
    return std::nullopt;
}

bool is_string(const YAML::Node& node) {
    if (const auto plain = plain_text(node)) {
        return is_plain_string(*plain);
    }
    return node.IsScalar() && (node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str");
}

std::optional<std::int64_t> integer_within(const YAML::Node& node, std::int64_t least, std::int64_t most) {
    const auto plain = plain_text(node);
    const auto value = plain ? parse_decimal(*plain) : std::nullopt;
    return value && *value >= least && *value <= most ? value : std::nullopt;
}

std::string integer_range(std::int64_t least, std::int64_t most) {
    return "an integer from " + std::to_string(least) + " to " + std::to_string(most);
}

} // namespace

std::optional<std::string> read_string(const field& f) {
    if (!is_string(f.node())) {
        f.fail(f.node().IsScalar() ? "must be a string; put it in quotes" : "must be a string");
        return std::nullopt;
    }
    auto resolved = resolve_references(f.node().Scalar(), f.env());
    if (const auto* fault = std::get_if<reference_fault>(&resolved)) {
        f.fail(fault->message);
        return std::nullopt;
    }
    auto& value = std::get<std::string>(resolved);
    if (value.empty()) {
        f.fail("must not be empty");
        return std::nullopt;
    }
    if (!codec::is_utf8(value)) {
        f.fail("must be UTF-8");
        return std::nullopt;
    }
    if (std::any_of(value.begin(), value.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; })) {
        f.fail("must not contain control characters");
        return std::nullopt;
    }
    return std::move(value);
}

std::optional<std::string> read_path(const field& f) {
    const auto value = read_string(f);
    if (!value) {
        return std::nullopt;
    }
    if (value->starts_with("-----BEGIN")) {
        f.fail("must be the path of a file, not its content");
        return std::nullopt;
    }
    return (f.files().folder / *value).lexically_normal().string();
}

std::optional<std::string> read_secret(const field& f) {
    auto value = read_string(f);
    if (value && !std::all_of(value->begin(), value->end(), [](char c) { return c > 0x20 && c < 0x7F; })) {
        f.fail("must consist of visible ASCII characters");
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> read_integer(const field& f, std::int64_t least, std::int64_t most) {
    const auto value = integer_within(f.node(), least, most);
    if (!value) {
        f.fail("must be " + integer_range(least, most));
    }
    return value;
}

std::optional<base::milliseconds> read_duration(const field& f, std::int64_t least) {
    const auto value = read_integer(f, least, longest_duration);
    return value ? std::optional{base::milliseconds{*value}} : std::nullopt;
}

std::optional<base::duration> read_seconds(const field& f, std::int64_t least) {
    const auto value = read_integer(f, least, most_seconds);
    return value ? std::optional<base::duration>{std::chrono::seconds{*value}} : std::nullopt;
}

std::optional<double> read_number(const field& f, std::int64_t most) {
    const auto plain = plain_text(f.node());
    const auto value = plain ? parse_number(*plain) : std::nullopt;
    if (!value || !(*value >= 0 && *value <= static_cast<double>(most))) {
        f.fail("must be a number from 0 to " + std::to_string(most));
        return std::nullopt;
    }
    return value;
}

std::optional<std::optional<std::int64_t>> read_nullable_integer(const field& f, std::int64_t least,
                                                                 std::int64_t most) {
    if (f.node().IsNull()) {
        return std::optional<std::int64_t>{};
    }
    if (const auto value = integer_within(f.node(), least, most)) {
        return value;
    }
    f.fail("must be null or " + integer_range(least, most));
    return std::nullopt;
}

std::optional<std::optional<base::milliseconds>> read_nullable_duration(const field& f) {
    const auto value = read_nullable_integer(f, 1, longest_duration);
    if (!value) {
        return std::nullopt;
    }
    return *value ? std::optional{base::milliseconds{**value}} : std::nullopt;
}

std::optional<bool> read_boolean(const field& f) {
    const auto plain = plain_text(f.node());
    if (plain == "true" || plain == "false") {
        return plain == "true";
    }
    f.fail("must be true or false");
    return std::nullopt;
}

std::optional<std::size_t> read_choice(const field& f, const std::vector<std::string_view>& known,
                                       const std::vector<std::string_view>& unsupported) {
    const std::string_view name = is_string(f.node()) ? std::string_view{f.node().Scalar()} : std::string_view{};
    if (const auto found = std::find(known.begin(), known.end(), name); found != known.end()) {
        return static_cast<std::size_t>(found - known.begin());
    }
    if (std::find(unsupported.begin(), unsupported.end(), name) != unsupported.end()) {
        f.fail(std::string{not_supported});
    } else {
        f.fail((known.size() == 1 ? "must be " : "must be one of: ") + join_names(known));
    }
    return std::nullopt;
}

} // namespace turnout::config
