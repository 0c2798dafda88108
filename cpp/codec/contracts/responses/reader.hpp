#pragma once

#include <string>

#include "codec/contracts/request_reader.hpp"

namespace turnout::codec::responses {

/// What bodies have in common that ask for a response, whichever way they come.
class reader : public request_reader {
public:
    using request_reader::request_reader;

protected:
    void read_member(const json::string_token& name) override;
    // Whether a request may do without an input depends on the response that it goes on from, which the upstream knows.
    void check_presence() override {}

    /// Reads the value of `background`, which is there for the first time.
    virtual void read_background();
    /// Of a valid body: where the value of `input` lies; empty if there is none.
    const byte_range& input() const { return input_; }

private:
    void read_input();
    void read_previous();
    void read_unsupported(const std::string& name);

    byte_range input_;
    bool seen_input_ = false;
    bool seen_previous_ = false;
    bool seen_background_ = false;
};

} // namespace turnout::codec::responses
