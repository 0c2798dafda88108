#include "codec/http1_transcript.hpp"

#include <gtest/gtest.h>

namespace turnout::codec::http1 {

std::string_view name_of(problem_kind kind) {
    switch (kind) {
    case problem_kind::none: return "none";
    case problem_kind::malformed: return "malformed";
    case problem_kind::head_too_large: return "head_too_large";
    case problem_kind::too_many_headers: return "too_many_headers";
    case problem_kind::version: return "version";
    case problem_kind::host: return "host";
    case problem_kind::framing: return "framing";
    case problem_kind::upgrade: return "upgrade";
    case problem_kind::truncated: return "truncated";
    }
    return "?";
}

transcript::transcript(message_kind kind, limits l, bool bodiless_answer) : parser_(kind, l), kind_(kind) {
    if (bodiless_answer) {
        parser_.expect_no_body();
    }
}

void transcript::feed(std::string_view bytes) {
    const std::vector<char> copy(bytes.begin(), bytes.end());
    std::string_view input{copy.data(), copy.size()};
    while (!failed_) {
        const event e = parser_.next(input);
        if (e.type == event_type::need_more) {
            break;
        }
        write(e);
    }
}

void transcript::close() {
    if (failed_) {
        return;
    }
    const event e = parser_.finish();
    if (e.type != event_type::need_more) {
        write(e);
    }
}

void transcript::write(const event& e) {
    const auto open = [this] {
        if (!text_.empty() && text_.back() != ' ') {
            text_ += ' ';
        }
    };
    switch (e.type) {
    case event_type::need_more: break;
    case event_type::head: {
        open();
        const head& h = parser_.current();
        if (kind_ == message_kind::request) {
            text_.append(h.method()).append(" ").append(h.target());
        } else {
            text_.append(std::to_string(h.status()));
        }
        text_.append(" 1.").append(std::to_string(h.minor_version())).append(" {");
        for (const header& field : h.headers()) {
            text_.append(&field == &h.headers().front() ? "" : ",").append(field.name).append("=").append(field.value);
        }
        text_ += "}";
        text_ += parser_.keep_alive() ? " keep" : "";
        text_ += parser_.chunked() ? " chunked" : "";
        if (const auto length = parser_.content_length()) {
            text_ += " length=" + std::to_string(*length);
        }
        text_ += parser_.expects_continue() ? " continue" : "";
        break;
    }
    case event_type::body:
        if (text_.ends_with('>')) {
            text_.pop_back();
        } else {
            open();
            text_ += '<';
        }
        text_.append(e.body).append(">");
        break;
    case event_type::complete:
        open();
        text_ += '.';
        break;
    case event_type::error:
        open();
        text_.append("!").append(name_of(parser_.problem()));
        failed_ = true;
        break;
    }
}

namespace {

std::string run(message_kind kind, const sample& s, const std::vector<std::string_view>& pieces) {
    transcript t{kind, s.bounds, s.bodiless_answer};
    for (const std::string_view piece : pieces) {
        t.feed(piece);
    }
    t.close();
    std::string text = t.text();
    if (s.expected.ends_with("!*")) {
        const std::size_t mark = text.rfind('!');
        if (mark != std::string::npos && !text.ends_with("!truncated")) {
            text.replace(mark, std::string::npos, "!*");
        }
    }
    return text;
}

} // namespace

void expect_transcript(message_kind kind, const sample& s) {
    SCOPED_TRACE(s.title);
    const std::string_view all = s.bytes;
    EXPECT_EQ(run(kind, s, {all}), s.expected) << "whole";
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < all.size(); ++at) {
        bytes.push_back(all.substr(at, 1));
        EXPECT_EQ(run(kind, s, {all.substr(0, at), all.substr(at)}), s.expected) << "split at " << at;
    }
    EXPECT_EQ(run(kind, s, bytes), s.expected) << "byte by byte";
}

} // namespace turnout::codec::http1
