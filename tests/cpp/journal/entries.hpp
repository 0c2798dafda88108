#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "journal/log.hpp"

namespace turnout::journal {

/// A value that another thread will give.
template <class T>
class awaited {
public:
    void set(T value) {
        const std::scoped_lock lock(mutex_);
        value_ = std::move(value);
        changed_.notify_all();
    }
    T get() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return value_.has_value(); });
        return *std::exchange(value_, std::nullopt);
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<T> value_;
};

inline std::optional<page> listed(log& l, filter f = {}, std::size_t limit = 1000, std::size_t offset = 0) {
    awaited<std::optional<page>> found;
    l.list(std::move(f), limit, offset, [&](std::optional<page> p) { found.set(std::move(p)); });
    return found.get();
}

inline std::optional<page> found(log& l, std::int64_t number) {
    awaited<std::optional<page>> found;
    l.get(number, [&](std::optional<page> p) { found.set(std::move(p)); });
    return found.get();
}

inline void append(log& l, const std::string& request_id) {
    auto e = l.take();
    e->request_id = request_id;
    l.append(std::move(e));
}

inline std::vector<std::string> ids(const std::optional<page>& p) {
    std::vector<std::string> all;
    if (p)
        for (const auto& e : p->rows) all.push_back(e.request_id);
    return all;
}

/// A directory that goes with its test.
class scratch_directory {
public:
    scratch_directory() {
        std::string name = (std::filesystem::temp_directory_path() / "turnout-journal-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
        path_ = name;
    }
    ~scratch_directory() { std::filesystem::remove_all(path_); }
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

} // namespace turnout::journal
