#include "config/configuration.hpp"

namespace turnout::config {

std::string_view to_string(adapter a) {
    switch (a) {
    case adapter::openai: return "openai";
    case adapter::openaicompatible: return "openaicompatible";
    }
    return {};
}

} // namespace turnout::config
