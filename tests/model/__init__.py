"""An independent model of circuits, limits, metrics and routes, written from the rules and not from the C++.

Moments and durations are whole milliseconds. The model never draws: where the gateway may choose or spread a length,
the model knows what is allowed, is told what was seen, and goes on from there.
"""
