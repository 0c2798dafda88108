#pragma once

#include <cassert>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace turnout::net {

template <class Signature>
class callback;

/// A move-only callable of at most 48 bytes, never on the heap: what completions of the request path are made of.
template <class R, class... Args>
class callback<R(Args...)> {
public:
    callback() = default;
    callback(std::nullptr_t) {} // NOLINT(google-explicit-constructor)

    template <class F>
        requires(!std::is_same_v<std::decay_t<F>, callback>)
    callback(F&& f) { // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
        using fn = std::decay_t<F>;
        static_assert(sizeof(fn) <= capacity && alignof(fn) <= alignof(std::max_align_t), "capture less");
        static_assert(std::is_nothrow_move_constructible_v<fn>);
        ::new (static_cast<void*>(storage_)) fn(std::forward<F>(f));
        call_ = [](void* p, Args... args) -> R { return (*static_cast<fn*>(p))(std::forward<Args>(args)...); };
        manage_ = [](void* from, void* to) noexcept {
            if (to != nullptr) ::new (to) fn(std::move(*static_cast<fn*>(from)));
            static_cast<fn*>(from)->~fn();
        };
    }

    callback(callback&& other) noexcept { take(other); }
    callback& operator=(callback&& other) noexcept {
        if (this != &other) {
            reset();
            take(other);
        }
        return *this;
    }
    callback(const callback&) = delete;
    callback& operator=(const callback&) = delete;
    ~callback() { reset(); }

    explicit operator bool() const { return call_ != nullptr; }
    R operator()(Args... args) {
        assert(call_ != nullptr);
        return call_(storage_, std::forward<Args>(args)...);
    }

private:
    static constexpr std::size_t capacity = 48;

    void reset() noexcept {
        if (manage_ != nullptr) manage_(storage_, nullptr);
        call_ = nullptr;
        manage_ = nullptr;
    }
    void take(callback& other) noexcept {
        if (other.manage_ != nullptr) other.manage_(other.storage_, storage_);
        call_ = std::exchange(other.call_, nullptr);
        manage_ = std::exchange(other.manage_, nullptr);
    }

    alignas(std::max_align_t) std::byte storage_[capacity]{};
    R (*call_)(void*, Args...) = nullptr;
    void (*manage_)(void*, void*) noexcept = nullptr;
};

} // namespace turnout::net
