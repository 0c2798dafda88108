#pragma once

#include <string_view>

namespace turnout::codec::messages {

/// Follows a JSON text that comes in pieces, as far as it takes to see whether it ended where it may.
class partial_json {
public:
    /// What a JSON string holds between its quotes, escapes as they are written there.
    void feed(std::string_view raw);
    /// Nothing came, or every object, array and string that began has ended.
    bool whole() const { return depth_ == 0 && !in_string_; }

private:
    void take(char c);

    unsigned depth_ = 0;
    bool in_string_ = false;
    bool escaped_ = false;
};

} // namespace turnout::codec::messages
