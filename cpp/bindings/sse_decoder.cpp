#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bindings/bind.hpp"
#include "codec/sse.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using codec::sse::decoder;
using codec::sse::decoder_error;

/// An event that owns its bytes.
struct sse_event {
    std::string name;
    std::string data;
    bool has_data = false;
};

sse_event own(const codec::sse::event& e) { return {std::string{e.name}, std::string{e.data}, e.has_data}; }

std::vector<sse_event> feed(decoder& self, const py::bytes& bytes) {
    std::vector<sse_event> events;
    self.feed(std::string_view{bytes});
    while (const auto e = self.next()) {
        events.push_back(own(*e));
    }
    return events;
}

std::optional<sse_event> finish(decoder& self) {
    const auto last = self.finish();
    return last ? std::optional{own(*last)} : std::nullopt;
}

std::optional<std::string_view> error_name(const decoder& self) {
    switch (self.error()) {
    case decoder_error::none: return std::nullopt;
    case decoder_error::event_too_large: return "event_too_large";
    }
    return std::nullopt;
}

} // namespace

void bind_sse_decoder(py::module_& core) {
    py::class_<sse_event>(core, "SseEvent", "One server-sent event.")
        .def_property_readonly("name", [](const sse_event& self) { return py::bytes(self.name); })
        .def_property_readonly("data", [](const sse_event& self) { return py::bytes(self.data); })
        .def_readonly("has_data", &sse_event::has_data)
        .def("__repr__", [](const sse_event& self) {
            return "<SseEvent " + py::repr(py::bytes(self.name)).cast<std::string>() + " "
                   + py::repr(py::bytes(self.data)).cast<std::string>() + ">";
        });
    py::class_<decoder>(core, "SseDecoder", "Turns bytes, split anywhere, into server-sent events.")
        .def(py::init<std::size_t>(), py::arg("max_event_bytes") = std::size_t{1} << 24U)
        .def("feed", &feed, py::arg("data"))
        .def("finish", &finish)
        .def_property_readonly("error", &error_name)
        .def_property_readonly("at_boundary", &decoder::at_boundary);
}

} // namespace turnout::bindings
