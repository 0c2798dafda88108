#include "bindings/engine.hpp"

#include <stdexcept>
#include <utility>

#include <pybind11/stl.h>

#include "bindings/bind.hpp"
#include "bindings/failure_report.hpp"
#include "bindings/names.hpp"
#include "bindings/times.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using simulation_ptr = std::shared_ptr<gateway::simulation>;

// A century keeps every sum far from what nanoseconds can say.
constexpr std::int64_t latest_ms = std::int64_t{100} * 365 * 86'400'000;

simulation_ptr make_engine(const config::configuration& settings, std::uint64_t seed, std::int64_t wall_ms) {
    if (wall_ms < 0 || wall_ms > latest_ms) throw std::invalid_argument("wall_ms must be 0 to 100 years");
    return std::make_shared<gateway::simulation>(settings, seed, base::wall_ms{wall_ms});
}

std::int64_t now_ms(const gateway::simulation& self) { return milliseconds_of(self.now()); }

void advance(gateway::simulation& self, std::int64_t ms) {
    if (ms < 0 || ms > latest_ms - now_ms(self))
        throw std::invalid_argument("ms must be at least 0, and now_ms at most 100 years");
    self.advance(base::milliseconds{ms});
}

engine_request begin(const simulation_ptr& self, const std::string& model, bool stream, const std::string& contract) {
    const auto by = contract_named(contract).transport;
    const auto found = self->models().find(model);
    if (found == self->models().end()) throw py::key_error("no enabled deployment serves the model " + model);
    if (!found->second.text[by].carried())
        throw py::key_error("no deployment of the model " + model + " carries " + contract + " requests");
    return {self, self->begin(model, stream, by)};
}

engine_snapshot snapshot_of(const gateway::simulation& self, const state::deployment_ref& which) {
    return {self.settings().deployments[which.key].id, self.snapshot(which), self.now()};
}

engine_snapshot snapshot(const gateway::simulation& self, const std::string& deployment) {
    for (const auto& [name, model] : self.models())
        for (const auto& ref : model.pool)
            if (self.settings().deployments[ref.key].id == deployment) return snapshot_of(self, ref);
    throw py::key_error("no enabled deployment has the id " + deployment);
}

std::vector<engine_snapshot> snapshots(const gateway::simulation& self, const std::string& name) {
    const auto model = self.models().find(name);
    if (model == self.models().end()) throw py::key_error("no enabled deployment serves the model " + name);
    std::vector<engine_snapshot> all;
    for (const auto& ref : model->second.pool) all.push_back(snapshot_of(self, ref));
    return all;
}

void succeed(const engine_request& self, std::optional<std::uint64_t> total_tokens,
             std::optional<std::uint64_t> completion_tokens, std::int64_t paused_ms) {
    if (paused_ms < 0 || paused_ms > latest_ms) throw std::invalid_argument("paused_ms must be at least 0");
    self.request->succeed({.last_byte = {},
                           .paused = base::milliseconds{paused_ms},
                           .total_tokens = total_tokens,
                           .completion_tokens = completion_tokens});
}

void fail(const engine_request& self, std::optional<std::string> origin, int status, std::string code, std::string type,
          std::string param, std::string message, std::optional<std::int64_t> retry_after_ms) {
    if (!origin && status == 0) throw std::invalid_argument("a failure has a status or an origin");
    self.request->fail(make_report(origin.value_or("upstream_answer"), status, std::move(code), std::move(type),
                                   std::move(param), std::move(message), retry_after_ms));
}

std::vector<engine_attempt> attempts(const engine_request& self) {
    std::vector<engine_attempt> all;
    for (const auto& record : self.request->fsm().attempts()) all.push_back(attempt_of(self, record));
    return all;
}

std::vector<engine_decision> decisions(const engine_request& self) {
    std::vector<engine_decision> all;
    for (const auto& made : self.request->decisions()) all.push_back(decision_of(self, made));
    return all;
}

std::optional<std::string> deployment(const engine_request& self) {
    const auto target = self.request->target();
    return target ? std::optional{self.id_of(*target)} : std::nullopt;
}

std::optional<std::int64_t> until_ms(const engine_request& self) {
    const auto until = self.request->until();
    return until ? std::optional{milliseconds_of(*until)} : std::nullopt;
}

std::optional<std::string_view> verdict(const engine_request& self) {
    if (self.request->state() != gateway::simulated_state::finished) return std::nullopt;
    return name_of(self.request->fsm().outcome().verdict);
}

std::optional<routing::caller_answer> answer(const engine_request& self) {
    if (self.request->state() != gateway::simulated_state::finished) return std::nullopt;
    const auto& fsm = self.request->fsm();
    if (fsm.outcome().verdict == routing::route_verdict::served) return std::nullopt;
    return routing::answer_for(fsm.outcome(), fsm.attempts());
}

std::string show(const engine_request& self) {
    std::string text = "<LogicalRequest " + self.request->model().name + " ";
    text += name_of(self.request->state());
    if (const auto where = deployment(self)) text += " on " + *where;
    return text + ">";
}

void bind_request(py::module_& core) {
    py::class_<engine_request>(core, "LogicalRequest", "One logical request of an engine.")
        .def_property_readonly("state", [](const engine_request& self) { return name_of(self.request->state()); })
        .def_property_readonly("deployment", &deployment)
        .def_property_readonly("until_ms", &until_ms)
        .def("commit", [](const engine_request& self) { self.request->commit(); })
        .def("succeed", &succeed, py::kw_only(), py::arg("total_tokens") = py::none(),
             py::arg("completion_tokens") = py::none(), py::arg("paused_ms") = 0)
        .def(
            "fail", [](const engine_request& self, const base::failure_report& report) { self.request->fail(report); },
            py::arg("report"))
        .def("fail", &fail, py::kw_only(), py::arg("origin") = py::none(), py::arg("status") = 0, py::arg("code") = "",
             py::arg("type") = "", py::arg("param") = "", py::arg("message") = "",
             py::arg("retry_after_ms") = py::none())
        .def("leave", [](const engine_request& self) { self.request->leave(); })
        .def("abandon", [](const engine_request& self) { self.request->abandon(); })
        .def_property_readonly("attempts", &attempts)
        .def_property_readonly("attempts_left",
                               [](const engine_request& self) { return self.request->fsm().attempts_left(); })
        .def_property_readonly("committed", [](const engine_request& self) { return self.request->fsm().committed(); })
        .def_property_readonly("decisions", &decisions)
        .def_property_readonly("verdict", &verdict)
        .def_property_readonly("answer", &answer)
        .def("__repr__", &show);
}

} // namespace

void bind_engine(py::module_& core) {
    bind_request(core);
    py::class_<gateway::simulation, simulation_ptr>(core, "Engine", "The routing engine on a clock of its own.")
        .def(py::init(&make_engine), py::arg("settings"), py::kw_only(), py::arg("seed"), py::arg("wall_ms"))
        .def_property_readonly("now_ms", &now_ms)
        .def_property_readonly("wall_ms", [](const gateway::simulation& self) { return self.wall().value; })
        .def("advance", &advance, py::arg("ms"))
        .def("seed", &gateway::simulation::seed, py::arg("value"))
        .def("begin", &begin, py::arg("model"), py::arg("stream") = false, py::arg("contract") = "chat")
        .def("snapshot", &snapshot, py::arg("deployment"))
        .def("snapshots", &snapshots, py::arg("model"));
}

} // namespace turnout::bindings
