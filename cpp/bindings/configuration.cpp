#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "base/overloaded.hpp"
#include "bindings/bind.hpp"
#include "config/warnings.hpp"
#include "server/load_settings.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using problem_pairs = std::vector<std::pair<std::string, std::string>>;

problem_pairs pairs_of(config::problems&& found) {
    problem_pairs pairs;
    for (auto& [path, message] : found) pairs.emplace_back(std::move(path), std::move(message));
    return pairs;
}

std::variant<config::configuration, problem_pairs> load(const std::string& text, const std::filesystem::path& folder) {
    using answer = std::variant<config::configuration, problem_pairs>;
    return std::visit(base::overloaded{
                          [](config::configuration&& settings) { return answer{std::move(settings)}; },
                          [](config::problems&& found) { return answer{pairs_of(std::move(found))}; },
                      },
                      server::load_settings(text, folder));
}

} // namespace

void bind_configuration(py::module_& core) {
    py::class_<config::configuration>(core, "Configuration", "A configuration without problems.")
        .def_property_readonly("warnings",
                               [](const config::configuration& self) { return pairs_of(config::warnings(self)); });
    core.def("load", load, py::arg("text"), py::arg("folder"));
}

} // namespace turnout::bindings
