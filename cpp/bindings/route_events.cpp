#include <optional>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "bindings/bind.hpp"
#include "routing/route_fsm.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

/// An event that says all by its name.
template <class Event>
void bind_bare(py::module_& core, const char* name) {
    py::class_<Event>(core, name).def(py::init<>()).def("__repr__", [text = std::string{name} + "()"](const Event&) {
        return text;
    });
}

} // namespace

void bind_route_events(py::module_& core) {
    bind_bare<routing::begun>(core, "Begun");
    bind_bare<routing::snapshot_read>(core, "SnapshotRead");
    py::class_<routing::admitted>(core, "Admitted")
        .def(py::init([](std::optional<routing::position> target) { return routing::admitted{target}; }),
             py::arg("target") = py::none())
        .def_readonly("target", &routing::admitted::target);
    bind_bare<routing::attempt_committed>(core, "AttemptCommitted");
    bind_bare<routing::attempt_succeeded>(core, "AttemptSucceeded");
    py::class_<routing::attempt_failed>(core, "AttemptFailed")
        .def(py::init([](base::failure_report report) { return routing::attempt_failed{std::move(report)}; }),
             py::arg("report"))
        .def_readonly("report", &routing::attempt_failed::report);
    bind_bare<routing::settled>(core, "Settled");
    bind_bare<routing::waited>(core, "Waited");
    bind_bare<routing::total_expired>(core, "TotalExpired");
    bind_bare<routing::client_left>(core, "ClientLeft");
}

} // namespace turnout::bindings
