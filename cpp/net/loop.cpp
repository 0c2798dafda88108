#include "net/loop.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "net/waitable_timer.hpp"

namespace turnout::net {
namespace {

// Deadlines are seconds to minutes: a coarse tick keeps arming free of system calls.
constexpr auto tick_period = std::chrono::milliseconds(20);

} // namespace

struct loop::impl {
    // One thread runs it; other threads only post.
    boost::asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{context.get_executor()};
    waitable_timer ticker{context};
    bool ticking = false;
    std::vector<std::pair<timer_kind, std::function<void()>>> watchers;
};

loop::loop(clock& time)
    : time_(time),
      scratch_(std::make_unique<char[]>(scratch_bytes + 64)),
      impl_(std::make_unique<impl>()),
      writes_([this] { boost::asio::post(impl_->context, [this] { writes_.flush(); }); }) {
    timers_.on_armed([this](timer_kind kind) { armed(kind); });
}

// Who waits to write holds itself until it has.
loop::~loop() { writes_.flush(); }

void loop::run() { impl_->context.run(); }

void loop::stop() {
    post([this] {
        impl_->ticker.cancel();
        impl_->work.reset();
        impl_->context.stop();
    });
}

void loop::post(std::function<void()> task) { boost::asio::post(impl_->context, std::move(task)); }

boost::asio::io_context& loop::context() { return impl_->context; }

void loop::when_armed(timer_kind kind, std::function<void()> notify) {
    if (timers_.armed(kind)) {
        notify();
        return;
    }
    impl_->watchers.emplace_back(kind, std::move(notify));
}

void loop::armed(timer_kind kind) {
    if (!impl_->watchers.empty()) {
        std::vector<std::function<void()>> due;
        std::erase_if(impl_->watchers, [&](auto& w) {
            if (w.first != kind) return false;
            due.push_back(std::move(w.second));
            return true;
        });
        for (auto& notify : due) notify();
    }
    if (!impl_->ticking && !time_.manual()) {
        impl_->ticking = true;
        tick();
    }
}

void loop::tick() {
    impl_->ticker.expires_after(tick_period);
    impl_->ticker.async_wait([this](const boost::system::error_code& e) {
        if (e) return;
        expire();
        if (timers_.empty()) {
            impl_->ticking = false;
            return;
        }
        tick();
    });
}

} // namespace turnout::net
