#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bindings/bind.hpp"
#include "bindings/names.hpp"

namespace py = pybind11;

namespace turnout::bindings {
namespace {

using base::failure_report;

/// A contract's tracker, whose output comes back as bytes instead of being appended.
class scripted_tracker {
public:
    scripted_tracker(std::string public_model, unsigned n, bool client_wants_usage, const std::string& contract,
                     std::string fallback_id, std::int64_t fallback_created)
        : tracker_(contract_named(contract).protocol.make_tracker({.public_model = std::move(public_model),
                                                                   .n = n,
                                                                   .client_wants_usage = client_wants_usage,
                                                                   .fallback_id = std::move(fallback_id),
                                                                   .fallback_created = fallback_created})) {}

    std::pair<std::string_view, py::bytes> on_event(const std::string& name, const std::optional<std::string>& data) {
        std::string out;
        const codec::frame_class c = tracker_->on_event(
            {.name = name, .data = data ? std::string_view{*data} : std::string_view{}, .has_data = data.has_value()},
            out);
        has_failed_ = has_failed_ || c == codec::frame_class::error;
        return {name_of(c), py::bytes(out)};
    }

    std::pair<std::optional<failure_report>, py::bytes> on_answer(const std::string& body) {
        std::string out;
        auto failure = tracker_->on_answer(body, out);
        return {std::move(failure), py::bytes(out)};
    }

    std::optional<failure_report> on_end(bool clean) { return tracker_->on_end(clean); }

    py::bytes close(const std::string& unified_routing) {
        std::string out;
        tracker_->close(out, unified_routing);
        return {out};
    }

    std::optional<failure_report> failure() const {
        return has_failed_ ? std::optional{tracker_->failure()} : std::nullopt;
    }

    std::vector<std::string_view> anomalies() const {
        std::vector<std::string_view> names;
        for (const codec::anomaly a : tracker_->anomalies()) names.push_back(to_string(a));
        return names;
    }

    const codec::stream_tracker& tracker() const { return *tracker_; }

private:
    std::unique_ptr<codec::stream_tracker> tracker_;
    bool has_failed_ = false;
};

} // namespace

void bind_stream_tracker(py::module_& core) {
    py::class_<codec::token_usage>(core, "TokenUsage", "Tokens, as the upstream counted them.")
        .def_readonly("prompt", &codec::token_usage::prompt)
        .def_readonly("completion", &codec::token_usage::completion)
        .def_readonly("total", &codec::token_usage::total);
    const codec::tracker_options defaults;
    py::class_<scripted_tracker>(core, "StreamTracker", "Watches one stream and writes the client's bytes for it.")
        .def(py::init<std::string, unsigned, bool, const std::string&, std::string, std::int64_t>(),
             py::arg("public_model"), py::arg("n") = 1, py::arg("client_wants_usage") = false, py::kw_only(),
             py::arg("contract") = "chat", py::arg("fallback_id") = defaults.fallback_id,
             py::arg("fallback_created") = defaults.fallback_created)
        .def("on_event", &scripted_tracker::on_event, py::arg("name"), py::arg("data"))
        .def(
            "is_whole",
            [](const scripted_tracker& self, const std::string& data) { return self.tracker().is_whole(data); },
            py::arg("data"))
        .def("on_answer", &scripted_tracker::on_answer, py::arg("body"))
        .def("on_end", &scripted_tracker::on_end, py::arg("clean"))
        .def("close", &scripted_tracker::close, py::arg("unified_routing") = "")
        .def_property_readonly("failure", &scripted_tracker::failure)
        .def_property_readonly("usage", [](const scripted_tracker& self) { return self.tracker().usage(); })
        .def_property_readonly("anomalies", &scripted_tracker::anomalies)
        .def_property_readonly("next_sequence",
                               [](const scripted_tracker& self) { return self.tracker().next_sequence(); })
        .def_property_readonly("complete", [](const scripted_tracker& self) { return self.tracker().complete(); });
}

} // namespace turnout::bindings
