#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <unistd.h>

#include "bindings/bind.hpp"
#include "config/host.hpp"
#include "server/embedded.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using without_lock = py::call_guard<py::gil_scoped_release>;

/// A gateway and the process that it lives in. A child made by fork has the object but none of its threads, so waiting
/// for them would never end: there, `stop` and destruction do nothing and everything else is refused.
class gateway {
public:
    gateway(const config::configuration& settings, server::embedded_options options)
        : embedded_(std::make_unique<server::embedded_gateway>(settings, std::move(options))) {}

    ~gateway() {
        if (!is_at_home()) {
            static_cast<void>(embedded_.release());
            return;
        }
        const py::gil_scoped_release unlocked;
        embedded_.reset();
    }

    gateway(const gateway&) = delete;
    gateway& operator=(const gateway&) = delete;

    void stop() {
        if (is_at_home()) embedded_->stop();
    }

    server::embedded_gateway& at_home() const {
        if (!is_at_home())
            throw std::runtime_error("the gateway lives in the process that made it, not in its forked child");
        return *embedded_;
    }

private:
    bool is_at_home() const { return getpid() == home_; }

    std::unique_ptr<server::embedded_gateway> embedded_;
    pid_t home_ = getpid();
};

/// What neither the caller nor the configuration says is as suits one gateway of several in a process.
std::unique_ptr<gateway> make_gateway(const config::configuration& settings, std::optional<std::uint16_t> port,
                                      std::optional<unsigned> workers, bool test_control,
                                      std::optional<std::uint64_t> seed, std::optional<std::filesystem::path> data) {
    if (test_control && !config::is_loopback_host(settings.server.host)) {
        throw std::invalid_argument("test_control needs a loopback address in server.host");
    }
    return std::make_unique<gateway>(
        settings, server::embedded_options{.host = {},
                                           .port = port.value_or(settings.server.port.value_or(0)),
                                           .workers = workers.value_or(settings.server.workers.value_or(1)),
                                           .test_control = test_control,
                                           .seed = seed,
                                           .data = std::move(data),
                                           .log = {}});
}

std::int64_t advance(const gateway& self, std::int64_t ms, std::optional<std::string> until_armed) {
    if (ms < 0) throw std::invalid_argument("ms must be at least 0");
    return self.at_home().advance(ms, std::move(until_armed));
}

} // namespace

void bind_gateway(py::module_& core) {
    py::class_<gateway>(core, "Gateway", "A gateway in this process.")
        .def(py::init(&make_gateway), py::arg("settings"), py::kw_only(), py::arg("port"), py::arg("workers"),
             py::arg("test_control"), py::arg("seed"), py::arg("data"))
        .def(
            "start", [](const gateway& self) { self.at_home().start(); }, without_lock())
        .def("stop", &gateway::stop, without_lock())
        .def_property_readonly("url", [](const gateway& self) { return self.at_home().url(); })
        .def_property_readonly("port", [](const gateway& self) { return self.at_home().port(); })
        .def(
            "timers_json", [](const gateway& self) { return self.at_home().timers_json(); }, without_lock())
        .def("advance", &advance, py::arg("ms"), py::arg("until_armed") = py::none(), without_lock())
        .def(
            "seed", [](const gateway& self, std::uint64_t value) { self.at_home().seed(value); }, py::arg("value"),
            without_lock());
}

} // namespace turnout::bindings
