#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "base/overloaded.hpp"
#include "bindings/bind.hpp"
#include "bindings/engine.hpp"
#include "bindings/names.hpp"
#include "bindings/times.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

std::optional<std::int64_t> rest_ms(const engine_snapshot& self, bool there, base::instant until) {
    return there ? std::optional{rounded_up_ms(until - self.at)} : std::nullopt;
}

void bind_snapshot(py::module_& core) {
    using self_t = const engine_snapshot&;
    py::class_<engine_snapshot>(core, "DeploymentSnapshot", "Live state of one deployment at one moment.")
        .def_readonly("deployment", &engine_snapshot::deployment)
        .def_property_readonly("status", [](self_t s) { return to_string(status_of(s.live, s.at).value); })
        .def_property_readonly("retry_after_ms",
                               [](self_t s) -> std::optional<std::int64_t> {
                                   const auto wait = status_of(s.live, s.at).retry_after;
                                   return wait ? std::optional{rounded_up_ms(*wait)} : std::nullopt;
                               })
        .def_property_readonly("admissible", [](self_t s) { return s.live.entry.open(); })
        .def_property_readonly("obstacle", [](self_t s) { return name_of(s.live.entry.why); })
        .def_property_readonly("blocked_ms",
                               [](self_t s) { return rest_ms(s, !s.live.entry.open(), s.live.entry.until); })
        .def_property_readonly("circuit", [](self_t s) { return name_of(s.live.circuit); })
        .def_property_readonly("cause",
                               [](self_t s) {
                                   const bool closed = s.live.circuit == routing::circuit_phase::closed;
                                   return closed ? std::nullopt : std::optional{to_string(s.live.cause)};
                               })
        .def_property_readonly("failures", [](self_t s) { return s.live.failures; })
        .def_property_readonly("openings", [](self_t s) { return s.live.openings; })
        .def_property_readonly("in_flight", [](self_t s) { return s.live.in_flight; })
        .def_property_readonly("rpm", [](self_t s) { return s.live.rpm; })
        .def_property_readonly("tpm", [](self_t s) { return s.live.tpm; })
        .def_property_readonly("latency_ms", [](self_t s) { return s.live.latency_ms; })
        .def_property_readonly("throughput_tps", [](self_t s) { return s.live.throughput; })
        .def_property_readonly("health", [](self_t s) { return s.live.health(); })
        .def_property_readonly("successes_10min", [](self_t s) { return s.live.successes; })
        .def_property_readonly("failures_10min", [](self_t s) { return s.live.failed; })
        .def("__repr__", [](self_t s) {
            return "<DeploymentSnapshot " + s.deployment + " " + std::string{to_string(status_of(s.live, s.at).value)}
                   + ">";
        });
}

void bind_decision(py::module_& core) {
    py::class_<engine_refusal>(core, "Refusal", "Why a deployment was not admitted.")
        .def_readonly("deployment", &engine_refusal::deployment)
        .def_readonly("obstacle", &engine_refusal::obstacle)
        .def_readonly("until_ms", &engine_refusal::until_ms)
        .def("__repr__", [](const engine_refusal& self) {
            return "<Refusal " + self.deployment + " " + std::string{self.obstacle} + ">";
        });
    py::class_<engine_decision>(core, "Decision", "One decision about a logical request.")
        .def_readonly("at_ms", &engine_decision::at_ms)
        .def_readonly("kind", &engine_decision::kind)
        .def_readonly("candidates", &engine_decision::candidates)
        .def_readonly("refused", &engine_decision::refused)
        .def_readonly("chosen", &engine_decision::chosen)
        .def_readonly("until_ms", &engine_decision::until_ms)
        .def_readonly("reason", &engine_decision::reason)
        .def_readonly("models", &engine_decision::models)
        .def("__repr__", [](const engine_decision& self) {
            return "<Decision " + std::string{self.kind} + " at " + std::to_string(self.at_ms) + ">";
        });
}

bool opened_something(const routing::circuit_effect& effect) {
    return effect.capacity || effect.change == routing::circuit_change::opened
           || effect.change == routing::circuit_change::reopened;
}

void bind_attempt(py::module_& core) {
    using self_t = const engine_attempt&;
    py::class_<engine_attempt>(core, "AttemptRecord", "One finished attempt.")
        .def_readonly("deployment", &engine_attempt::deployment)
        .def_property_readonly("ok", [](self_t s) { return s.record.ok; })
        .def_property_readonly("committed", [](self_t s) { return s.record.committed; })
        .def_property_readonly("probe", [](self_t s) { return s.record.probe; })
        .def_property_readonly(
            "failure", [](self_t s) { return s.record.ok ? std::nullopt : std::optional{to_string(s.record.failure)}; })
        .def_property_readonly("quota_exhausted", [](self_t s) { return s.record.quota_exhausted; })
        .def_property_readonly("report",
                               [](self_t s) { return s.record.ok ? std::nullopt : std::optional{s.record.report}; })
        .def_property_readonly("started_ms", [](self_t s) { return milliseconds_of(s.record.started); })
        .def_property_readonly("ended_ms", [](self_t s) { return milliseconds_of(s.record.ended); })
        .def_property_readonly("circuit_change", [](self_t s) { return to_string(s.record.effect.change); })
        .def_property_readonly("capacity_opened", [](self_t s) { return s.record.effect.capacity; })
        .def_property_readonly("opened_until_ms",
                               [](self_t s) -> std::optional<std::int64_t> {
                                   if (!opened_something(s.record.effect)) return std::nullopt;
                                   return rounded_up_ms(s.record.effect.until.time_since_epoch());
                               })
        .def("__repr__", [](self_t s) {
            return "<AttemptRecord " + s.deployment + " "
                   + std::string{s.record.ok ? "ok" : to_string(s.record.failure)} + ">";
        });
}

void bind_answer(py::module_& core) {
    using self_t = const routing::caller_answer&;
    py::class_<routing::caller_answer>(core, "CallerAnswer", "What the caller of an unserved request is told.")
        .def_readonly("status", &routing::caller_answer::status)
        .def_readonly("type", &routing::caller_answer::type)
        .def_property_readonly("code", [](self_t s) { return s.code.empty() ? std::nullopt : std::optional{s.code}; })
        .def_readonly("retry_after", &routing::caller_answer::retry_after)
        .def_property_readonly("should_retry",
                               [](self_t s) { return s.should_retry_false ? std::optional{false} : std::nullopt; })
        .def("__repr__", [](self_t s) { return "<CallerAnswer " + std::to_string(s.status) + " " + s.code + ">"; });
}

std::vector<std::string> ids_of(const engine_request& self, const std::vector<state::deployment_key>& keys) {
    std::vector<std::string> ids;
    for (const auto key : keys) ids.push_back(self.id_of(key));
    return ids;
}

} // namespace

engine_decision decision_of(const engine_request& self, const gateway::decision& made) {
    engine_decision shown{.at_ms = milliseconds_of(made.at), .kind = {}};
    std::visit(base::overloaded{
                   [&](const gateway::asked_decision& d) {
                       shown.kind = "asked";
                       shown.candidates = ids_of(self, d.candidates);
                       for (const auto& [who, why] : d.refused) {
                           shown.refused.push_back(
                               {self.id_of(who), *name_of(why.why), rounded_up_ms(why.until.time_since_epoch())});
                       }
                       if (d.chosen) shown.chosen = self.id_of(*d.chosen);
                   },
                   [&](const gateway::wait_decision& d) {
                       shown.kind = "wait";
                       shown.candidates = {self.id_of(d.who)};
                       shown.until_ms = rounded_up_ms(d.until.time_since_epoch());
                       shown.reason = d.for_capacity ? "capacity" : "again";
                   },
                   [&](const gateway::chain_decision& d) {
                       shown.kind = "chain";
                       shown.reason = to_string(d.reason);
                       shown.models.assign(d.models.begin(), d.models.end());
                   },
               },
               made.what);
    return shown;
}

engine_attempt attempt_of(const engine_request& self, const routing::attempt_record& record) {
    return {self.id_of(self.request->model().key(record.target)), record};
}

void bind_engine_records(py::module_& core) {
    bind_snapshot(core);
    bind_decision(core);
    bind_attempt(core);
    bind_answer(core);
}

} // namespace turnout::bindings
