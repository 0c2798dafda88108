// The scanner takes exactly the JSON that nlohmann/json takes, reads the same out of it, and finds the same faults
// whether it reads or skips.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/json_scan.hpp"
#include "codec/utf8.hpp"
#include "json_text.hpp"
#include "require.hpp"

namespace {

namespace fuzz = turnout::fuzz;
namespace scan = turnout::codec::json;
using fuzz::require;
using other_json = nlohmann::json;

/// Writes down what nlohmann/json reads.
class other_reader final : public nlohmann::json_sax<other_json> {
public:
    bool null() override { return add("n"); }
    bool boolean(bool value) override { return add(value ? "t" : "f"); }
    bool number_integer(std::int64_t value) override { return add("#" + std::to_string(value)); }
    bool number_unsigned(std::uint64_t value) override {
        return add(value > INT64_MAX ? "#" : "#" + std::to_string(value)); // more than `to_integer` can say
    }
    bool number_float(double, const std::string&) override { return add("#"); }
    bool string(std::string& value) override { return add('"' + value + '"'); }
    bool binary(other_json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open("{"); }
    bool key(std::string& name) override { return add(name + ":"); }
    bool end_object() override { return close("}"); }
    bool start_array(std::size_t) override { return open("["); }
    bool end_array() override { return close("]"); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
        beyond_double = e.id == 406;
        return false;
    }

    std::string seen;
    bool too_deep = false;
    bool beyond_double = false; ///< a number that no double is, which only that library minds

private:
    bool add(const std::string& what) {
        seen += what + ' ';
        return true;
    }
    bool open(const char* bracket) {
        too_deep = ++depth_ > scan::max_depth || too_deep;
        return add(bracket);
    }
    bool close(const char* bracket) {
        --depth_;
        return add(bracket);
    }

    unsigned depth_ = 0;
};

void check_string(const scan::string_token& token, const std::string& decoded) {
    require(token.equals(decoded) && !token.equals(decoded + "x"), "a string equals what it is decoded to");
    if (!turnout::codec::is_utf8(decoded)) return; // such a text is refused in the end, and never written as it is
    const std::string written = scan::to_json_string(decoded);
    scan::scanner again(written);
    scan::string_token read;
    require(again.read_string(read) && again.finish() && read.decode() == decoded, "a string that is written is read");
}

/// Writes down what the scanner reads, in the same words.
void read_value(scan::scanner& s, std::string& seen) {
    scan::string_token text;
    std::string_view value;
    switch (s.peek()) {
    case scan::kind::object:
        seen += "{ ";
        s.begin_object();
        while (s.next_member(text)) {
            seen += text.decode() + ": ";
            check_string(text, text.decode());
            read_value(s, seen);
        }
        seen += "} ";
        return;
    case scan::kind::array:
        seen += "[ ";
        s.begin_array();
        while (s.next_element()) read_value(s, seen);
        seen += "] ";
        return;
    case scan::kind::string:
        if (!s.read_string(text)) return;
        seen += '"' + text.decode() + "\" ";
        check_string(text, text.decode());
        return;
    case scan::kind::number:
        if (!s.skip(value)) return;
        seen += '#';
        if (const auto integer = scan::to_integer(value)) seen += std::to_string(*integer);
        seen += ' ';
        return;
    case scan::kind::boolean:
        if (s.skip(value)) seen += value == "true" ? "t " : "f ";
        return;
    case scan::kind::null:
        if (s.skip(value)) seen += "n ";
        return;
    case scan::kind::none: s.skip(); return;
    }
}

/// The most arrays and objects within each other, counted without looking at anything but brackets and strings.
unsigned deepest(std::string_view text) {
    unsigned depth = 0;
    unsigned most = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') in_string = !in_string;
        if (in_string) {
            if (c == '\\') ++at;
        } else if (c == '[' || c == '{') {
            most = std::max(most, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return most;
}

struct verdict {
    bool valid = false;
    scan::fault problem = scan::fault::none;
    std::size_t offset = 0;
    bool operator==(const verdict&) const = default;
};

verdict end(scan::scanner& s) {
    const bool valid = s.finish();
    require(valid == (s.problem() == scan::fault::none), "what is not valid has a fault");
    return {valid, s.problem(), s.offset()};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);

    std::string seen;
    scan::scanner reader(text);
    read_value(reader, seen);
    const verdict read = end(reader);
    require(read.offset <= text.size(), "the scanner stays inside the text");

    scan::scanner skipper(text);
    skipper.skip();
    require(end(skipper) == read, "skipping checks as much as reading");
    scan::scanner ranger(text);
    std::string_view range;
    if (ranger.skip(range) && read.valid) require(range == scan::trim(text), "a value lies where it is said to lie");
    require(scan::is_json(text) == read.valid, "is_json is the scanner's verdict");

    other_reader other;
    // The other parser takes NUL for the end and passes a byte order mark.
    const bool other_reads = text.find('\0') == text.npos && !text.starts_with("\xEF\xBB\xBF");
    const bool other_valid = other_reads && other_json::sax_parse(fuzz::with_whole_surrogates(text), &other);
    if (other.beyond_double) return 0;
    require(read.valid == (other_valid && !other.too_deep), "valid is what the other parser takes");
    require(!read.valid || seen == other.seen, "the other parser reads the same");
    // Not asked of the other parser, which stops sooner where a string before is not UTF-8.
    require(read.problem != scan::fault::depth || deepest(text.substr(0, read.offset + 1)) > scan::max_depth,
            "too deep is too deep");
    require(read.problem != scan::fault::utf8 || !turnout::codec::is_utf8(text), "not UTF-8 is not UTF-8");
    return 0;
}
