#include "net/dns_lookup.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "base/ascii.hpp"

namespace turnout::net {
namespace {

constexpr base::duration server_limit = std::chrono::seconds(2);
constexpr base::duration other_family_limit = std::chrono::milliseconds(50);
constexpr std::size_t rounds = 2;

// Such names never leave the machine (RFC 6761, 6.3). They are not left to c-ares, whose 1.18 leaks them.
bool is_localhost(std::string_view name) {
    const auto lower = base::lower_case(name);
    return lower == "localhost" || lower.ends_with(".localhost");
}

} // namespace

dns_lookup::dns_lookup(loop& l, std::vector<std::string> servers, std::string name, done_function done)
    : loop_(l),
      servers_(std::move(servers)),
      name_(std::move(name)),
      done_(std::move(done)),
      impatient_([](void* c) { static_cast<dns_lookup*>(c)->on_impatient(); }, this) {}

void dns_lookup::start() {
    try {
        if (servers_.empty()) servers_ = dns_channel::system_servers(loop_);
        ask_hosts();
    } catch (const std::exception& e) {
        problem_ = e.what();
        servers_.clear();
        from_hosts_.emplace();
        judge_soon();
    }
}

void dns_lookup::cancel() {
    const boost::intrusive_ptr<dns_lookup> self(this);
    over_ = true;
    done_ = nullptr;
    impatient_.cancel();
    hosts_ = nullptr;
    channels_.clear();
}

void dns_lookup::ask_hosts() {
    if (is_localhost(name_)) {
        from_hosts_.emplace();
        from_hosts_->what = dns_answer::kind::found;
        from_hosts_->addresses = {boost::asio::ip::address_v6::loopback(), boost::asio::ip::address_v4::loopback()};
        judge_soon();
        return;
    }
    hosts_ = dns_channel::hosts_file(loop_);
    hosts_->ask(name_, address_family::any, [this](dns_answer answer) {
        from_hosts_ = std::move(answer);
        judge_soon();
    });
}

void dns_lookup::ask_next_server() {
    if (channels_.size() == rounds * servers_.size()) {
        finish();
        return;
    }
    loop_.timers().arm(impatient_, timer_kind::resolve, server_limit, loop_.now());
    channels_.push_back(dns_channel::server(loop_, servers_[channels_.size() % servers_.size()]));
    for (auto& h : halves_)
        if (!h.settled)
            channels_.back()->ask(name_, h.family, [this, &h](dns_answer answer) { on_answer(h, std::move(answer)); });
}

void dns_lookup::on_answer(half& h, dns_answer answer) {
    switch (answer.what) {
    case dns_answer::kind::found:
        h.settled = true;
        h.addresses = std::move(answer.addresses);
        h.ttl = answer.ttl;
        break;
    case dns_answer::kind::absent:
        h.settled = true;
        problem_ = std::move(answer.problem);
        break;
    case dns_answer::kind::failed: ++h.failed; break;
    }
    judge_soon();
}

// An answer arrives inside of c-ares, which must not lose its channel there.
void dns_lookup::judge_soon() {
    if (std::exchange(judging_, true)) return;
    boost::asio::post(loop_.context(), [self = boost::intrusive_ptr<dns_lookup>(this)] {
        self->judging_ = false;
        if (!self->over_) self->judge();
    });
}

void dns_lookup::judge() {
    if (channels_.empty()) {
        if (from_hosts_->what == dns_answer::kind::found)
            finish(std::move(*from_hosts_));
        else
            ask_next_server();
        return;
    }
    if (settled()) {
        finish();
        return;
    }
    const bool none_to_wait_for = std::all_of(
        halves_.begin(), halves_.end(), [this](const half& h) { return h.settled || h.failed == channels_.size(); });
    if (none_to_wait_for) {
        on_impatient();
    } else if (found()) {
        loop_.timers().arm(impatient_, timer_kind::resolve, other_family_limit, loop_.now());
    }
}

void dns_lookup::on_impatient() {
    const boost::intrusive_ptr<dns_lookup> self(this);
    if (found())
        finish();
    else
        ask_next_server();
}

bool dns_lookup::found() const {
    return std::any_of(halves_.begin(), halves_.end(), [](const half& h) { return !h.addresses.empty(); });
}

bool dns_lookup::settled() const {
    return std::all_of(halves_.begin(), halves_.end(), [](const half& h) { return h.settled; });
}

// The families take turns, so that one which does not work here costs one address and not all of them.
void dns_lookup::finish() {
    dns_answer answer;
    answer.what = found() ? dns_answer::kind::found : dns_answer::kind::failed;
    answer.ttl = base::duration::max();
    answer.problem = problem_;
    for (std::size_t i = 0; i < std::max(halves_[0].addresses.size(), halves_[1].addresses.size()); ++i)
        for (const auto& h : halves_) {
            if (i >= h.addresses.size()) continue;
            answer.addresses.push_back(h.addresses[i]);
            answer.ttl = std::min(answer.ttl, h.ttl);
        }
    finish(std::move(answer));
}

void dns_lookup::finish(dns_answer answer) {
    auto done = std::move(done_);
    cancel();
    if (done) done(std::move(answer));
}

} // namespace turnout::net
