#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "codec/contracts/contract.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec {

/// What reading a client's body has in common in all contracts: it validates the whole body as JSON in one pass, and the
/// first problem stays. A contract reads its members in `read_member` and asks for what it needs in `check_presence`.
class request_reader {
public:
    explicit request_reader(std::string_view body) : body_(body), scan_(body, json::max_request_depth) {}
    virtual ~request_reader() = default;

    std::variant<contract_request, request_problem> read();

protected:
    /// Reads or skips the value of a member of the body; `model` and `stream` are read already.
    virtual void read_member(const json::string_token& name) = 0;
    /// Reads the value of `stream`, which is there for the first time.
    virtual void read_stream() { request_.stream = read_switch("stream"); }
    /// Called after a valid object, and first: a message of another kind has nothing else to be asked for.
    virtual void check_kind() {}
    /// Called after that, and after it is known whether there is a model.
    virtual void check_presence() = 0;

    void read_array(std::string_view param);
    /// A boolean, where null means false.
    bool read_switch(std::string_view param);
    /// Where the last `read_switch` found its value.
    const byte_range& last_value() const { return last_value_; }

    /// False, with a problem, when the member was there before: JSON leaves open which of two counts.
    bool once(bool& seen, std::string_view param);
    void require(bool seen, std::string_view param);
    void refuse(std::string_view code, std::string_view param, std::string message);

    json::scanner& scan() { return scan_; }
    contract_request& request() { return request_; }
    const contract_request& request() const { return request_; }
    /// The place after the body's opening brace.
    std::size_t after_brace() const { return after_brace_; }

private:
    void read_common(const json::string_token& name);
    void read_model();
    request_problem not_json() const;

    std::string_view body_;
    json::scanner scan_;
    contract_request request_;
    std::optional<request_problem> problem_; ///< the first
    byte_range last_value_;
    std::size_t after_brace_ = 0;
    bool seen_model_ = false;
    bool seen_stream_ = false;
};

/// Adds the edit that puts the upstream's model (a JSON string, which the edit views) in place of the public one, unless
/// they are the same.
void add_model_edit(base::edit_list& edits, const contract_request& r, std::string_view upstream_model);

} // namespace turnout::codec
