"""Activates the conformance plugin for every test, since unit tests prove rules too."""

pytest_plugins = ["conformance.plugin"]
