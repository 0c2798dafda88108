#include "codec/contracts/openai_error.hpp"

#include "codec/json_string.hpp"

namespace turnout::codec {

void write_openai_error_members(std::string& out, const public_error& e) {
    const auto text_or_null = [&](std::string_view name, const std::string& text) {
        out += name;
        if (text.empty()) {
            out += "null";
        } else {
            json::write_json_string(out, text);
        }
    };
    out += R"("message":)";
    json::write_json_string(out, e.message);
    out += R"(,"type":)";
    json::write_json_string(out, e.type);
    text_or_null(R"(,"param":)", e.param);
    text_or_null(R"(,"code":)", e.code);
}

void write_openai_error(std::string& out, const public_error& e) {
    out += R"({"error":{)";
    write_openai_error_members(out, e);
    out += "}}";
}

} // namespace turnout::codec
