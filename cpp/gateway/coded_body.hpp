#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/failure_report.hpp"
#include "codec/content/decoder.hpp"

namespace turnout::gateway {

/// How an answer ended: as its framing says, or by what broke it off.
struct answer_end {
    bool clean = true;
    base::failure_origin origin = base::failure_origin::stream_truncated; ///< unless `clean`
};

/// One answer's body in a content coding: what of it came, and is decoded only as fast as it is wanted.
class coded_body {
public:
    /// `coding` is one that is decoded.
    explicit coded_body(codec::content_coding coding) : decoder_(codec::make_content_decoder(coding)) {}

    void add(std::string_view bytes) { input_.append(bytes); }
    /// Nothing is added after this.
    void end(answer_end how) { end_ = how; }
    /// The next decoded piece, valid until the next call; empty when all that was added is decoded, or is corrupt.
    std::string_view next();
    /// How the decoded body ended, once `next` has returned nothing: as the answer did, unless its coding says otherwise.
    std::optional<answer_end> ended() const;

private:
    std::unique_ptr<codec::content_decoder> decoder_;
    std::string input_;
    std::size_t decoded_ = 0; ///< of `input_`
    std::optional<answer_end> end_;
};

} // namespace turnout::gateway
