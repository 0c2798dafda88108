#include "routing/route_fsm.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bindings/bind.hpp"
#include "bindings/names.hpp"
#include "bindings/times.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using routing::attempt_record;
using routing::position;
using routing::route_action;
using routing::route_action_type;
using routing::route_outcome;

/// The machine with a chance of its own.
class scripted_route {
public:
    scripted_route(const std::vector<std::uint32_t>& weights, unsigned max_attempts,
                   std::optional<std::int64_t> deadline_ms, std::uint64_t seed)
        : fsm_(plan(weights, max_attempts, deadline_ms)), random_(seed) {}

    route_action resume(const routing::route_event& event, std::int64_t now_ms) {
        const route_action action = fsm_.resume(instant_of(now_ms), event, random_);
        last_ = action.type;
        return action;
    }

    std::vector<position> candidates() const {
        if (last_ != route_action_type::admit) return {};
        return {fsm_.candidates().begin(), fsm_.candidates().end()};
    }

    std::optional<route_outcome> outcome() const {
        return last_ == route_action_type::finish ? std::optional{fsm_.outcome()} : std::nullopt;
    }

    const routing::route_fsm& fsm() const { return fsm_; }

private:
    static routing::route_plan plan(const std::vector<std::uint32_t>& weights, unsigned max_attempts,
                                    std::optional<std::int64_t> deadline_ms) {
        routing::route_plan made{.pool = {}, .max_attempts = max_attempts};
        for (const std::uint32_t weight : weights) made.pool.push_back({weight});
        if (deadline_ms) made.deadline = instant_of(*deadline_ms);
        return made;
    }

    routing::route_fsm fsm_;
    base::splitmix random_;
    route_action_type last_ = route_action_type::none;
};

std::optional<position> target_of(const route_action& action) {
    switch (action.type) {
    case route_action_type::start_attempt:
    case route_action_type::commit:
    case route_action_type::settle: return action.target;
    case route_action_type::read_state:
    case route_action_type::admit:
    case route_action_type::wait:
    case route_action_type::finish:
    case route_action_type::none: return std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::int64_t> until_of(const route_action& action) {
    return action.type == route_action_type::wait ? std::optional{milliseconds_of(action.until)} : std::nullopt;
}

std::string show(const route_action& action) {
    std::string text = "<RouteAction " + std::string{name_of(action.type)};
    if (const auto target = target_of(action)) text += " " + std::to_string(*target);
    return text + ">";
}

void bind_answers(py::module_& core) {
    py::class_<route_action>(core, "RouteAction", "What the driver must do next.")
        .def_property_readonly("type", [](const route_action& self) { return name_of(self.type); })
        .def_property_readonly("target", &target_of)
        .def_property_readonly("until_ms", &until_of)
        .def("__repr__", &show);
    py::class_<attempt_record>(core, "AttemptRecord", "One finished attempt.")
        .def_readonly("target", &attempt_record::target)
        .def_readonly("ok", &attempt_record::ok)
        .def_readonly("committed", &attempt_record::committed)
        .def_property_readonly(
            "failure",
            [](const attempt_record& self) { return self.ok ? std::nullopt : std::optional{to_string(self.failure)}; })
        .def_readonly("quota_exhausted", &attempt_record::quota_exhausted)
        .def_property_readonly(
            "report", [](const attempt_record& self) { return self.ok ? std::nullopt : std::optional{self.report}; })
        .def_property_readonly("started_ms", [](const attempt_record& self) { return milliseconds_of(self.started); })
        .def_property_readonly("ended_ms", [](const attempt_record& self) { return milliseconds_of(self.ended); });
    py::class_<route_outcome>(core, "RouteOutcome", "How the logical request ended.")
        .def_property_readonly("verdict", [](const route_outcome& self) { return name_of(self.verdict); })
        .def_readonly("deciding", &route_outcome::deciding)
        .def_readonly("only_configuration", &route_outcome::only_configuration)
        .def_readonly("in_band", &route_outcome::in_band);
}

} // namespace

void bind_route_fsm(py::module_& core) {
    bind_answers(core);
    py::class_<scripted_route>(core, "RouteFsm", "One logical request's life without I/O.")
        .def(py::init<const std::vector<std::uint32_t>&, unsigned, std::optional<std::int64_t>, std::uint64_t>(),
             py::arg("weights"), py::arg("max_attempts") = 3, py::arg("deadline_ms") = py::none(), py::arg("seed") = 0)
        .def("resume", &scripted_route::resume, py::arg("event"), py::arg("now_ms"))
        .def_property_readonly("candidates", &scripted_route::candidates)
        .def_property_readonly("attempts",
                               [](const scripted_route& self) {
                                   const auto all = self.fsm().attempts();
                                   return std::vector<attempt_record>(all.begin(), all.end());
                               })
        .def_property_readonly("attempts_left", [](const scripted_route& self) { return self.fsm().attempts_left(); })
        .def_property_readonly("committed", [](const scripted_route& self) { return self.fsm().committed(); })
        .def_property_readonly("outcome", &scripted_route::outcome);
}

} // namespace turnout::bindings
