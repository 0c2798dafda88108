#include "net/resolver.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace turnout::net {
namespace {

constexpr base::duration shortest_ttl = std::chrono::seconds(1);
constexpr base::duration longest_ttl = std::chrono::minutes(5);

} // namespace

resolver::~resolver() {
    for (auto& [name, w] : waiting_) w.lookup->cancel();
}

void resolver::resolve(const std::string& name, resolver_user& user) {
    const auto it = known_.find(name);
    if (it != known_.end() && loop_.now() < it->second.expires) {
        const auto addresses = it->second.addresses; // the user may change the order
        user.on_resolved(addresses);
        return;
    }
    auto& w = waiting_[name];
    w.users.push_back(&user);
    if (w.lookup) return;
    const std::string* key = &waiting_.find(name)->first; // a map's keys stay where they are
    w.lookup = new dns_lookup(loop_, servers_, name,
                              [this, key](dns_answer answer) { on_answer(std::string(*key), std::move(answer)); });
    w.lookup->start();
}

void resolver::cancel(resolver_user& user) {
    for (auto it = waiting_.begin(); it != waiting_.end();) {
        auto& w = it->second;
        const auto left = std::erase(w.users, &user);
        if (left > 0 && w.users.empty()) {
            w.lookup->cancel();
            it = waiting_.erase(it);
        } else {
            ++it;
        }
    }
}

void resolver::prefer(const std::string& name, const boost::asio::ip::address& good) {
    auto& e = known_[name];
    e.good = good;
    e.put_good_first();
}

void resolver::entry::put_good_first() {
    if (!good) return;
    const auto it = std::find(addresses.begin(), addresses.end(), *good);
    if (it != addresses.end()) std::rotate(addresses.begin(), it, it + 1);
}

void resolver::on_answer(const std::string& name, dns_answer answer) {
    const bool found = answer.what == dns_answer::kind::found;
    if (found) {
        auto& e = known_[name];
        e.addresses = answer.addresses;
        e.expires = loop_.now() + std::clamp(answer.ttl, shortest_ttl, longest_ttl);
        e.put_good_first();
        answer.addresses = e.addresses;
    }
    // Each may cancel others from within, and the last that leaves takes the entry away.
    for (auto it = waiting_.find(name); it != waiting_.end(); it = waiting_.find(name)) {
        auto& users = it->second.users;
        if (users.empty()) {
            waiting_.erase(it);
            break;
        }
        auto* user = users.front();
        users.erase(users.begin());
        if (found)
            user->on_resolved(answer.addresses);
        else
            user->on_unresolved(answer.problem);
    }
}

} // namespace turnout::net
