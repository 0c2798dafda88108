#include "gateway/coded_body.hpp"

namespace turnout::gateway {

std::string_view coded_body::next() {
    auto rest = std::string_view(input_).substr(decoded_);
    const auto piece = decoder_->next(rest);
    decoded_ = input_.size() - rest.size();
    if (rest.empty()) {
        input_.clear();
        decoded_ = 0;
    }
    return piece;
}

std::optional<answer_end> coded_body::ended() const {
    if (decoder_->corrupt()) return answer_end{false, base::failure_origin::malformed_body};
    if (end_ && end_->clean && !decoder_->whole()) return answer_end{false, base::failure_origin::body_truncated};
    return end_;
}

} // namespace turnout::gateway
