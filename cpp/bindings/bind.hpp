#pragma once

#include <pybind11/pybind11.h>

/// One function per part of `turnout._core`. What each part offers is documented in `python/turnout/_core.pyi`.
/// No thread of the gateway ever calls into Python; whatever may wait releases the interpreter lock.
namespace turnout::bindings {

void bind_configuration(pybind11::module_& core);
void bind_gateway(pybind11::module_& core);
void bind_failure_report(pybind11::module_& core);
void bind_engine_records(pybind11::module_& core);
void bind_engine(pybind11::module_& core);
void bind_sse_decoder(pybind11::module_& core);
void bind_stream_tracker(pybind11::module_& core);

} // namespace turnout::bindings
