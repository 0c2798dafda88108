#include "bindings/bind.hpp"

// Parts that name each other's types come after them, so that signatures show Python's names.
PYBIND11_MODULE(_core, core) {
    using namespace turnout::bindings;
    core.doc() = "The compiled part of turnout; import turnout instead.";
    core.attr("__version__") = TURNOUT_VERSION;
    bind_configuration(core);
    bind_gateway(core);
    bind_failure_report(core);
    bind_engine_records(core);
    bind_engine(core);
    bind_sse_decoder(core);
    bind_stream_tracker(core);
}
