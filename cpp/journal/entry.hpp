#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace turnout::journal {

/// One finished attempt. Texts are names, codes and sentences of ours, or stay empty; a provider's message, a prompt or a key has
/// no place here.
struct attempt_entry {
    std::string deployment;   ///< the opaque id that clients see
    std::string label;        ///< of the deployment; empty if it has none
    std::string adapter;      ///< `adapterKey`
    std::string public_model; ///< whose pool the deployment was taken from: the asked model or a fallback
    std::string failure;      ///< class; empty if the attempt succeeded
    std::string detail;       ///< what went wrong with the connection, in our words; empty if that was not it
    std::string anomalies;    ///< names, separated by commas
    std::string circuit;      ///< what became of the deployment's circuit: counted, opened, ...; empty if nothing
    std::string cause;        ///< why it opened: transient or configuration; empty unless opened or reopened
    std::optional<base::wall_ms> circuit_until;  ///< when what opened may be tried again
    std::optional<base::wall_ms> capacity_until; ///< end of the capacity circuit, if it was opened or got longer
    int status = 0;                              ///< HTTP status of a failure; 0 if it had none
    base::milliseconds latency{};                ///< from its start to its end
    base::milliseconds waited{};                 ///< before its start, because the deployment had failed before
    bool committed = false;                      ///< the client was sent something of it

    /// Empty again, with the memory kept.
    void clear();
};

/// Attempts in their order. `clear` keeps their memory, which a vector would give back.
class attempt_list {
public:
    attempt_entry& add() {
        if (size_ == all_.size()) all_.emplace_back();
        return all_[size_++];
    }
    void clear() {
        for (std::size_t i = 0; i < size_; ++i) all_[i].clear();
        size_ = 0;
    }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const attempt_entry& operator[](std::size_t i) const { return all_[i]; }
    const attempt_entry& back() const { return all_[size_ - 1]; }
    attempt_entry& back() { return all_[size_ - 1]; }
    const attempt_entry* begin() const { return all_.data(); }
    const attempt_entry* end() const { return all_.data() + size_; }

private:
    std::vector<attempt_entry> all_;
    std::size_t size_ = 0;
};

/// One finished logical request.
struct request_entry {
    std::int64_t number = 0;     ///< the log's own, given when the row is written; rises
    std::string request_id;      ///< `x-request-id`, which clients may choose and repeat
    std::string public_model;    ///< as asked for
    std::string served_model;    ///< whose deployment answered; empty if none did
    std::string call_type;       ///< the contract, such as `chat`, or what is asked of a stored response
    std::string outcome;         ///< success, error or cancelled
    std::string error_code;      ///< of the answer; empty if it was no error
    std::string strategy;        ///< routing strategy
    std::string fallback_reason; ///< whose chain was used; empty if none was
    std::string key_name;        ///< name of the client's key, never the key; empty if none was needed
    std::optional<std::uint64_t> prompt_tokens;
    std::optional<std::uint64_t> completion_tokens;
    std::optional<std::uint64_t> total_tokens;
    base::wall_ms started;
    base::milliseconds took{};
    int status = 0; ///< of the answer; 499 when the client left
    bool stream = false;
    bool fallback_used = false;
    bool degraded = false; ///< more than one attempt, or a fallback
    attempt_list attempts;

    /// Empty again, with the memory kept.
    void clear();
};

using entry_ptr = std::unique_ptr<request_entry>;

} // namespace turnout::journal
