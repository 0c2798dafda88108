#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace turnout::net {

/// Base of classes that are made and destroyed with every request: the memory of one that dies serves the next of its
/// kind on the same thread. Under AddressSanitizer it does not, so that a use after death is seen.
template <class T>
class recycled {
public:
    static void* operator new(std::size_t size) {
#ifndef __SANITIZE_ADDRESS__
        auto& list = spare();
        if (size == sizeof(T) && list.first != nullptr) {
            node* taken = list.first;
            list.first = taken->next;
            --list.count;
            return taken;
        }
#endif
        return ::operator new(size);
    }

    static void operator delete(void* memory, [[maybe_unused]] std::size_t size) noexcept {
#ifndef __SANITIZE_ADDRESS__
        auto& list = spare();
        if (size == sizeof(T) && list.count < list.limit) {
            list.first = ::new (memory) node{list.first};
            ++list.count;
            return;
        }
#endif
        ::operator delete(memory); // not every compiler has the one that takes a size
    }

private:
    struct node {
        node* next;
    };

    struct free_list {
        node* first = nullptr;
        std::size_t count = 0;
        std::size_t limit = 256;

        free_list() = default;
        free_list(const free_list&) = delete;
        free_list& operator=(const free_list&) = delete;
        ~free_list() {
            limit = 0; // what dies later on this thread goes straight back
            while (first != nullptr) ::operator delete(std::exchange(first, first->next));
            count = 0;
        }
    };

    static free_list& spare() {
        thread_local free_list list;
        return list;
    }
};

} // namespace turnout::net
