#include "net/tls.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace turnout::net {

void prepare_for_events(SSL_CTX* context) {
    // Writes are repeated from a buffer that may have moved, and idle sessions give their buffers back.
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // One system call for a record instead of one for its header and one for the rest.
    SSL_CTX_set_read_ahead(context, 1);
}

std::optional<std::string> reading_problem(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
    if (file && (std::fgetc(file.get()) != EOF || std::ferror(file.get()) == 0)) return std::nullopt;
    return "cannot be read: " + path + ": " + std::generic_category().message(errno);
}

} // namespace turnout::net
