#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "base/overloaded.hpp"
#include "bindings/bind.hpp"
#include "config/load.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using problem_pairs = std::vector<std::pair<std::string, std::string>>;

std::optional<std::string> process_environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

std::variant<config::configuration, problem_pairs> load(const std::string& text) {
    using answer = std::variant<config::configuration, problem_pairs>;
    return std::visit(base::overloaded{
                          [](config::configuration&& settings) { return answer{std::move(settings)}; },
                          [](config::problems&& found) {
                              problem_pairs pairs;
                              for (auto& [path, message] : found) {
                                  pairs.emplace_back(std::move(path), std::move(message));
                              }
                              return answer{std::move(pairs)};
                          },
                      },
                      config::load(text, process_environment));
}

} // namespace

void bind_configuration(py::module_& core) {
    py::class_<config::configuration>(core, "Configuration", "A configuration without problems.");
    core.def("load", load, py::arg("text"));
}

} // namespace turnout::bindings
