"""Conformance suite: scenarios that prove the numbered rules of `spec/` on a running gateway.

The scenarios are ordinary pytest tests. `conformance.plugin` adds the rule marker, the `check` fixture, the targets and
the report; see README.md for how to run them on this gateway or on another.
"""
