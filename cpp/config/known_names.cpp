#include "config/known_names.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.hpp"

namespace turnout::config {
namespace {

constexpr std::size_t letters_per_slip = 3;

/// What is left of a name where nothing but its letters counts.
std::string letters_of(std::string_view name) {
    std::string text = base::lower_case(name);
    std::erase_if(text, [](char c) { return c == '_' || c == '-' || c == '.'; });
    return text;
}

/// How many letters are missing, too many, wrong, or swapped with their neighbour.
std::size_t slips(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = std::exchange(last, std::exchange(row, std::vector<std::size_t>(b.size() + 1, i)));
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t wrong = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + wrong});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

} // namespace

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
    const std::string given = letters_of(name);
    std::string_view nearest;
    std::size_t least = given.size() / letters_per_slip + 1;
    for (const std::string_view candidate : known) {
        const std::size_t distance = slips(given, letters_of(candidate));
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string join_names(const std::vector<std::string_view>& names) {
    std::string joined;
    for (const std::string_view name : names) {
        joined.append(joined.empty() ? "" : ", ").append(name);
    }
    return joined;
}

} // namespace turnout::config
