#pragma once

#include <list>
#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec {

/// The ids of one answer as its client sees them. What it gives out stays where it is until the next `forget_some`.
class sealed_ids {
public:
    /// Null: ids are shown as the upstream gave them.
    explicit sealed_ids(const id_sealer* sealer) : sealer_(sealer) {}

    /// `value` is a string of a JSON text, quotes included, and so is what takes its place.
    std::string_view operator()(std::string_view value);
    /// An upstream may change its ids as often as it likes.
    void forget_some();

private:
    struct pair {
        std::string given;
        std::string shown;
    };

    const id_sealer* sealer_;
    std::list<pair> known_;
};

/// Adds the edits that show an answer's ids as its client sees them; they view `ids`.
void add_id_edits(std::string_view body, accepted_answer& answer, sealed_ids& ids);

} // namespace turnout::codec
