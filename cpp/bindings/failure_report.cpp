#include "bindings/failure_report.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "bindings/bind.hpp"
#include "bindings/names.hpp"
#include "routing/retry_after.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using base::failure_report;

std::optional<std::int64_t> retry_after_ms(const failure_report& report) {
    return report.retry_after ? std::optional{report.retry_after->count()} : std::nullopt;
}

std::string show(const failure_report& report) {
    return "<FailureReport " + std::string{name_of(report.origin)} + " " + std::to_string(report.status) + ">";
}

} // namespace

failure_report make_report(const std::string& origin, int status, std::string code, std::string type, std::string param,
                           std::string message, std::optional<std::int64_t> retry_after_ms) {
    const auto named = failure_origin_named(origin);
    if (!named) throw std::invalid_argument("no failure origin has the name " + origin);
    if (retry_after_ms && (*retry_after_ms < 0 || *retry_after_ms > routing::longest_asked_wait.count()))
        throw std::invalid_argument("retry_after_ms must be 0 to 86400000");
    return {.origin = *named,
            .status = status,
            .code = std::move(code),
            .type = std::move(type),
            .param = std::move(param),
            .message = std::move(message),
            .retry_after = retry_after_ms ? std::optional{base::milliseconds{*retry_after_ms}}
                                          : std::optional<base::milliseconds>{}};
}

void bind_failure_report(py::module_& core) {
    py::class_<failure_report>(core, "FailureReport", "How an attempt ended, as facts.")
        .def(py::init(&make_report), py::arg("origin"), py::arg("status") = 0, py::kw_only(), py::arg("code") = "",
             py::arg("type") = "", py::arg("param") = "", py::arg("message") = "",
             py::arg("retry_after_ms") = py::none())
        .def_property_readonly("origin", [](const failure_report& self) { return name_of(self.origin); })
        .def_readonly("status", &failure_report::status)
        .def_readonly("code", &failure_report::code)
        .def_readonly("type", &failure_report::type)
        .def_readonly("param", &failure_report::param)
        .def_readonly("message", &failure_report::message)
        .def_property_readonly("retry_after_ms", &retry_after_ms)
        .def("__repr__", &show);
}

} // namespace turnout::bindings
