#include "net/timers.hpp"

#include <array>
#include <cassert>

namespace turnout::net {
namespace {

constexpr std::array<std::string_view, 18> names{
    "response",     "idle",   "total",   "wait",    "keepalive", "grace", "client_head", "client_idle", "client_write",
    "client_watch", "linger", "resolve", "connect", "pool_idle", "drain", "lease",       "socket_life", "shutdown"};

constexpr base::duration own_instant = base::duration(-1);

} // namespace

std::string_view to_string(timer_kind k) { return names.at(static_cast<std::size_t>(k)); }

std::optional<timer_kind> timer_kind_from(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names.at(i) == name) return static_cast<timer_kind>(i);
    return std::nullopt;
}

struct timer_list {
    timer_kind kind{};
    base::duration after{};
    timer* first = nullptr;
    timer* last = nullptr;
};

void timer::cancel() {
    if (list_ == nullptr) return;
    (previous_ != nullptr ? previous_->next_ : list_->first) = next_;
    (next_ != nullptr ? next_->previous_ : list_->last) = previous_;
    previous_ = next_ = nullptr;
    list_ = nullptr;
    request_ = nullptr;
}

timer_lists::timer_lists() = default;

timer_lists::~timer_lists() {
    for (auto& l : lists_)
        while (l->first != nullptr) l->first->cancel();
}

timer_list& timer_lists::list_of(timer_kind kind, base::duration after) {
    for (auto& l : lists_)
        if (l->kind == kind && l->after == after) return *l;
    lists_.push_back(std::make_unique<timer_list>(timer_list{kind, after}));
    return *lists_.back();
}

void timer_lists::arm(timer& t, timer_kind kind, base::duration after, base::instant now, const std::string* request) {
    assert(after >= base::duration::zero());
    t.cancel();
    auto& l = list_of(kind, after);
    t.list_ = &l;
    t.due_ = now + after;
    t.request_ = request;
    t.previous_ = l.last;
    (l.last != nullptr ? l.last->next_ : l.first) = &t;
    l.last = &t;
    if (hook_) hook_(kind);
}

void timer_lists::arm_at(timer& t, timer_kind kind, base::instant due, const std::string* request) {
    t.cancel();
    auto& l = list_of(kind, own_instant);
    timer* after = l.last;
    while (after != nullptr && after->due_ > due) after = after->previous_;
    t.list_ = &l;
    t.due_ = due;
    t.request_ = request;
    t.previous_ = after;
    t.next_ = after != nullptr ? after->next_ : l.first;
    (t.previous_ != nullptr ? t.previous_->next_ : l.first) = &t;
    (t.next_ != nullptr ? t.next_->previous_ : l.last) = &t;
    if (hook_) hook_(kind);
}

timer_list* timer_lists::earliest() const {
    timer_list* best = nullptr;
    for (const auto& l : lists_)
        if (l->first != nullptr && (best == nullptr || l->first->due_ < best->first->due_)) best = l.get();
    return best;
}

std::optional<base::instant> timer_lists::next_due() const {
    const auto* l = earliest();
    if (l == nullptr) return std::nullopt;
    return l->first->due_;
}

bool timer_lists::armed(timer_kind kind) const {
    for (const auto& l : lists_)
        if (l->kind == kind && l->first != nullptr) return true;
    return false;
}

std::vector<armed_timer> timer_lists::snapshot() const {
    std::vector<armed_timer> all;
    for (const auto& l : lists_)
        for (const timer* t = l->first; t != nullptr; t = t->next_)
            all.push_back({l->kind, t->request_ != nullptr ? *t->request_ : std::string(), t->due_});
    return all;
}

void timer_lists::expire(base::instant now) {
    for (auto* l = earliest(); l != nullptr && l->first->due_ <= now; l = earliest()) {
        timer& t = *l->first;
        t.cancel();
        t.fire_(t.context_);
    }
}

} // namespace turnout::net
