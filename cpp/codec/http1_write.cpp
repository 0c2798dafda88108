#include <algorithm>
#include <cassert>

#include "base/number.hpp"
#include "codec/http1.hpp"

namespace turnout::codec::http1 {

namespace {

constexpr std::string_view reason_of_class(int status) {
    switch (status / 100) {
    case 1: return "Informational";
    case 2: return "Success";
    case 3: return "Redirection";
    case 4: return "Client Error";
    default: return "Server Error";
    }
}

constexpr std::string_view reason(int status) {
    switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 402: return "Payment Required";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 424: return "Failed Dependency";
    case 425: return "Too Early";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return reason_of_class(status);
    }
}

[[maybe_unused]] bool breaks_line(std::string_view text) {
    return text.find_first_of(std::string_view{"\r\n\0", 3}) != text.npos;
}

} // namespace

void write_status_line(std::string& out, int status) {
    assert(status >= 100 && status <= 999);
    if (status == 200) { // nearly all
        out.append("HTTP/1.1 200 OK\r\n");
        return;
    }
    out.append("HTTP/1.1 ");
    base::append_number(out, status);
    out.append(1, ' ').append(reason(status)).append("\r\n");
}

void write_request_line(std::string& out, std::string_view method, std::string_view target) {
    assert(!breaks_line(method) && method.find(' ') == method.npos);
    assert(!breaks_line(target) && target.find(' ') == target.npos);
    out.append(method).append(1, ' ').append(target).append(" HTTP/1.1\r\n");
}

void write_header(std::string& out, std::string_view name, std::string_view value) {
    assert(!breaks_line(name) && !breaks_line(value));
    out.append(name).append(": ").append(value).append("\r\n");
}

void write_header(std::string& out, std::string_view name, std::uint64_t value) {
    assert(!breaks_line(name));
    out.append(name).append(": ");
    base::append_number(out, value);
    out.append("\r\n");
}

void write_chunk_size(std::string& out, std::size_t size) {
    base::append_number(out, size, 16);
    out.append("\r\n");
}

bool valid_field_value(std::string_view value) {
    return std::all_of(value.begin(), value.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= 0x20 && byte != 0x7f) || byte == '\t';
    });
}

} // namespace turnout::codec::http1
