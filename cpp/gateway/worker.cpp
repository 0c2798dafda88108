#include "gateway/worker.hpp"

#include <utility>

#include "gateway/reaching.hpp"

namespace turnout::gateway {
namespace {

// Request ids come from a sequence of their own: how many of them were made must not move the draws.
constexpr std::uint64_t ids_apart = 0x5DEECE66DU;

} // namespace

worker::worker(const shared_context& shared, state::store& store, net::clock& time, const net::listener_options& where,
               std::uint64_t seed, std::function<void(std::string_view)> log, std::vector<extra_routes*> extra,
               journal::log* journal)
    : loop_(time),
      upstreams_(loop_, reaching(shared.settings.network)),
      draws_(seed),
      ids_(seed ^ ids_apart),
      context_{shared, store, loop_, upstreams_, draws_, ids_, std::move(log), journal},
      service_(context_, ready_, std::move(extra)),
      listener_(loop_, where, service_),
      grace_([](void* c) { static_cast<worker*>(c)->listener_.end(); }, this) {}

// A request keeps itself alive until its client has an answer, or has gone.
worker::~worker() { listener_.break_off(); }

std::uint16_t worker::port() const { return listener_.port(); }

void worker::stop(base::milliseconds grace) {
    loop_.post([this, grace] {
        if (std::exchange(stopping_, true)) return;
        ready_.store(false);
        listener_.drain([this] {
            grace_.cancel();
            upstreams_.close_idle();
            loop_.stop();
        });
        loop_.timers().arm(grace_, net::timer_kind::shutdown, grace, loop_.now());
    });
}

void worker::use_certificate(net::server_tls_context tls) {
    loop_.post([this, tls = std::move(tls)] { listener_.use_certificate(tls); });
}

void worker::end_grace() {
    loop_.post([this] { listener_.end(); });
}

void worker::seed(std::uint64_t value) {
    loop_.post([this, value] { draws_ = base::splitmix(value); });
}

} // namespace turnout::gateway
