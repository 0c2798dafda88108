// An upstream for benchmarks: one thread, epoll, answers made once. See request.hpp for what decides the answer.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <unordered_map>
#include <vector>

#include <CLI/CLI.hpp>

#include "fake_upstreams/fast/connection.hpp"
#include "fake_upstreams/fast/pacer.hpp"

namespace turnout::fast {
namespace {

class upstream {
public:
    upstream(std::uint16_t port, answers& with) : listener_(listen_on(port)), answers_(with) {
        poller_.add(listener_.number(), EPOLLIN);
    }

    [[nodiscard]] std::uint16_t port() const { return port_of(listener_); }

    [[noreturn]] void run() {
        while (true) {
            const std::optional<timespec> timeout = until_next();
            for (const epoll_event& event : poller_.wait(timeout ? &*timeout : nullptr)) {
                if (event.data.fd == listener_.number()) {
                    accept();
                } else {
                    serve(event.data.fd, event.events);
                }
            }
            pace();
        }
    }

private:
    struct stepped {
        int fd;
        std::uint64_t serial;
    };

    void accept() {
        while (true) {
            descriptor socket = accept_from(listener_);
            const int fd = socket.number();
            if (fd < 0) return;
            auto accepted = std::make_unique<connection>(std::move(socket), answers_, next_serial_++);
            accepted->events = EPOLLIN;
            poller_.add(fd, EPOLLIN);
            connections_[fd] = std::move(accepted);
        }
    }

    void serve(int fd, std::uint32_t events) {
        const auto found = connections_.find(fd);
        if (found == connections_.end()) return;
        connection& served = *found->second;
        if ((events & EPOLLOUT) != 0 && !served.write()) {
            connections_.erase(found);
            return;
        }
        if ((events & ~EPOLLOUT) != 0) {
            switch (served.on_readable()) {
            case connection::outcome::over: connections_.erase(found); return;
            case connection::outcome::begins_to_pace:
                pacer_.begin(fd, served.serial(), served.per_second(), pacer::instant::clock::now());
                break;
            case connection::outcome::begins_to_step: stepped_.push_back({fd, served.serial()}); break;
            case connection::outcome::steps: step(served.take_steps()); break;
            case connection::outcome::goes_on: break;
            }
        }
        tell_poller(served);
    }

    void pace() {
        if (!pacer_.next()) return;
        const auto now = pacer::instant::clock::now();
        while (const auto due = pacer_.take(now)) {
            if (give_token(due->fd, due->serial)) pacer_.again(*due);
        }
    }

    void step(std::size_t count) {
        for (; count > 0; --count) {
            std::erase_if(stepped_, [this](const stepped& stream) { return !give_token(stream.fd, stream.serial); });
        }
    }

    /// False when the stream gets no other.
    bool give_token(int fd, std::uint64_t serial) {
        const auto found = connections_.find(fd);
        if (found == connections_.end() || found->second->serial() != serial) return false;
        connection& served = *found->second;
        const bool more = served.owe_token();
        if (!served.write()) {
            connections_.erase(found);
            return false;
        }
        tell_poller(served);
        return more;
    }

    void tell_poller(connection& changed) {
        const std::uint32_t events = changed.wants_to_write() ? EPOLLIN | EPOLLOUT : EPOLLIN;
        if (events != changed.events) poller_.change(changed.fd(), changed.events = events);
    }

    [[nodiscard]] std::optional<timespec> until_next() const {
        const auto next = pacer_.next();
        if (!next) return std::nullopt;
        const auto wait = std::max(*next - pacer::instant::clock::now(), pacer::instant::duration::zero());
        const auto whole = std::chrono::floor<std::chrono::seconds>(wait);
        return timespec{.tv_sec = whole.count(), .tv_nsec = std::chrono::nanoseconds(wait - whole).count()};
    }

    descriptor listener_;
    answers& answers_;
    poller poller_;
    pacer pacer_;
    std::unordered_map<int, std::unique_ptr<connection>> connections_;
    std::vector<stepped> stepped_;
    std::uint64_t next_serial_ = 0;
};

} // namespace
} // namespace turnout::fast

int main(int argc, char** argv) {
    CLI::App app("Answers chat, messages and responses requests on 127.0.0.1 as fast as it can, until it is killed.",
                 "fast_upstream");
    std::uint16_t port = 0;
    std::string model;
    std::string asked;
    std::size_t completion_bytes = 1024;
    app.add_option("--port", port, "0 lets the system choose")->capture_default_str();
    app.add_option("--model", model, "the model that answers name")->required();
    app.add_option("--asked", asked, "the model that requests must name; any by default");
    app.add_option("--completion-bytes", completion_bytes, "how long the JSON answer is")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        turnout::fast::raise_descriptor_limit();
        turnout::fast::answers answers(model, asked, completion_bytes);
        turnout::fast::upstream upstream(port, answers);
        std::printf("fast_upstream listens on http://127.0.0.1:%d\n", upstream.port());
        std::fflush(stdout);
        upstream.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fast_upstream: %s\n", error.what());
        return 1;
    }
}
