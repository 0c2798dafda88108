#include <string>

#include "config/host.hpp"
#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t most_workers = 1024;
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
constexpr std::int64_t most_memory = std::int64_t{1} << 40;
constexpr std::int64_t most_connections = 1'000'000;

void read_host(const field& f, std::string& host) {
    auto value = read_string(f);
    if (value && !is_listen_host(*value)) {
        f.fail("must be an IP address or localhost");
        return;
    }
    assign(host, std::move(value));
}

void read_tls(const field& section, std::optional<tls_files>& tls) {
    tls_files files;
    read_map(section,
             {
                 {"certificateFile", [&](const field& f) { assign(files.certificate_file, read_path(f)); }, true},
                 {"keyFile", [&](const field& f) { assign(files.key_file, read_path(f)); }, true},
             });
    if (files.certificate_file.empty() || files.key_file.empty()) {
        return; // which is a problem already
    }
    if (const auto& check = section.files().tls) {
        for (auto& fault : check(files)) {
            section.fail_member(fault.path, std::move(fault.message));
        }
    }
    tls = std::move(files);
}

} // namespace

void load_server(const field& section, server_settings& server) {
    read_map(section,
             {
                 {"host", [&](const field& f) { read_host(f, server.host); }},
                 {"port", [&](const field& f) { assign(server.port, read_integer(f, 0, 65'535)); }},
                 {"workers", [&](const field& f) { assign(server.workers, read_integer(f, 0, most_workers)); }},
                 {"masterKey", [&](const field& f) { assign(server.master_key, read_secret(f)); }},
                 {"requestBodyBytes",
                  [&](const field& f) { assign(server.request_body_bytes, read_integer(f, 1, most_bytes)); }},
                 {"requestMemoryBytes",
                  [&](const field& f) { assign(server.request_memory_bytes, read_integer(f, 1, most_memory)); }},
                 {"maxConnections",
                  [&](const field& f) { assign(server.max_connections, read_integer(f, 1, most_connections)); }},
                 {"streamHoldBytes",
                  [&](const field& f) { assign(server.stream_hold_bytes, read_integer(f, 1, most_bytes)); }},
                 {"clientWriteStallMs", [&](const field& f) { assign(server.client_write_stall, read_duration(f)); }},
                 {"shutdownGraceMs", [&](const field& f) { assign(server.shutdown_grace, read_duration(f, 0)); }},
                 {"tls", [&](const field& f) { read_tls(f, server.tls); }},
             },
             {"metricsOpen", "stateFailure"});
    if (server.request_memory_bytes < server.request_body_bytes)
        section.fail_member("requestMemoryBytes",
                            "must be at least requestBodyBytes, which is " + std::to_string(server.request_body_bytes));
}

} // namespace turnout::config
