// An edited text is what its edits say, whole or in pieces; and the edits that turn a client's body into a deployment's
// change the model and the usage option in it and nothing else.
//
// The first byte chooses how many edits there are and whether usage is asked for. Three bytes follow per edit: how far
// behind the last one it begins, how much it replaces, and how long its text is. The rest is the body.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "codec/contracts/chat/chat.hpp"
#include "codec/edits.hpp"
#include "codec/json_string.hpp"
#include "input.hpp"
#include "json_text.hpp"
#include "require.hpp"

namespace {

using namespace turnout;
using namespace turnout::codec;
using fuzz::require;

struct instruction {
    std::uint8_t gap = 0;
    std::uint8_t length = 0;
    std::uint8_t text = 0;
};

/// Up to seven times the same letter.
std::string_view text_of(std::uint8_t choice) {
    static const std::string letters = [] {
        std::string all;
        for (char c = 'a'; c <= 'z'; ++c) all.append(7, c);
        return all;
    }();
    return std::string_view(letters).substr(std::size_t{7} * (choice % 26U), choice % 8U);
}

/// Sorted edits inside the body that do not overlap and begin at different places.
base::edit_list edits_of(const std::vector<instruction>& instructions, std::string_view body) {
    base::edit_list edits;
    std::size_t from = 0;
    for (const instruction& i : instructions) {
        const std::size_t offset = from + i.gap;
        if (offset + i.length > body.size()) break;
        edits.push_back({offset, i.length, text_of(i.text)});
        from = offset + i.length + (i.length == 0 ? 1U : 0U);
    }
    return edits;
}

/// From the back, so that no edit moves the place of another.
std::string edited_naively(std::string_view body, const base::edit_list& edits, std::size_t from, std::size_t to) {
    std::string text(body.substr(0, to));
    for (auto e = edits.rbegin(); e != edits.rend(); ++e) text.replace(e->offset, e->length, e->text);
    return text.substr(from);
}

void check_edits(std::string_view body, const base::edit_list& edits) {
    const std::size_t first = edits.empty() ? body.size() / 2 : edits.front().offset;
    const std::size_t last = edits.empty() ? first : edits.back().offset + edits.back().length;
    for (const auto& [from, to] : {std::pair{std::size_t{0}, body.size()}, std::pair{first, last}}) {
        const std::string wanted = edited_naively(body, edits, from, to);
        std::string out = "before";
        apply(body, edits, out, from, to);
        require(out == "before" + wanted, "the edited text is what the edits say");
        require(edited_size(body, edits, from, to) == wanted.size(), "the edited size is the size of the edited text");
        std::vector<std::string_view> pieces;
        gather(body, edits, pieces, from, to);
        std::string joined;
        for (const std::string_view piece : pieces) {
            require(!piece.empty(), "no piece is empty");
            joined += piece;
        }
        require(joined == wanted, "the pieces are the edited text");
    }
    base::edit_list sorted;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        insert_sorted(sorted, edits[(i * 2 + (i * 2 < edits.size() ? 0 : 1)) % edits.size()]);
    }
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        require(sorted[i - 1].offset <= sorted[i].offset, "edits are inserted where they belong");
    }
}

void check_request(std::string_view body, bool ask_usage) {
    const contract& chat = chat::instance();
    const auto parsed = chat.parse_request(body);
    const auto* const request = std::get_if<contract_request>(&parsed);
    if (request == nullptr) return;
    require(body.at(request->model_offset) == '"', "the model's range begins with its quote");
    const std::string_view upstream_model = "up/\"stream\" \xC3\xA9";
    std::string sent;
    apply(body, chat.upstream_edits(*request, json::to_json_string(upstream_model), ask_usage), sent);

    const auto again = chat.parse_request(sent);
    const auto* const seen = std::get_if<contract_request>(&again);
    require(seen != nullptr, "what is sent upstream is a request");
    require(seen->model == upstream_model, "the upstream is asked for its own model");
    require(seen->stream == request->stream && seen->n == request->n, "what was asked for stays");
    require(seen->include_usage == (request->include_usage || (request->stream && ask_usage)), "usage is asked for");

    nlohmann::json wanted = fuzz::parse(body);
    if (wanted.is_discarded()) return; // a number that no double is
    wanted["model"] = upstream_model;
    if (request->stream && ask_usage) {
        if (!wanted.contains("stream_options") || wanted["stream_options"].is_null()) {
            wanted["stream_options"] = nlohmann::json::object();
        }
        wanted["stream_options"]["include_usage"] = true;
    }
    require(wanted == fuzz::parse(sent), "nothing else is changed");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input given(data, size);
    const std::uint8_t choice = given.byte();
    std::vector<instruction> instructions(choice % 8U);
    for (instruction& i : instructions) i = {given.byte(), given.byte(), given.byte()};
    const std::string_view body = given.rest();
    check_edits(body, edits_of(instructions, body));
    check_request(body, (choice & 8U) != 0);
    return 0;
}
