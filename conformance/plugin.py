"""The pytest plugin: options, the rule marker, one run per target, and the report."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from conformance.checks import Check, CheckRecord, Outcome
from conformance.report import build_report, write_report
from conformance.rules import RULES_DIRECTORY, RulesError, load_rule_ids
from conformance.targets import ALL_FEATURES, Target, TargetError
from conformance.targets.binary import BinaryTarget
from conformance.targets.module import ModuleTarget
from conformance.targets.url import Declaration, UrlTarget

pytest_plugins = ["conformance.fixtures"]

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_BINARY = ROOT / "build" / "dev" / "turnout"

_TARGETS = pytest.StashKey[dict[str, Target]]()
_RECORDS = pytest.StashKey[list[CheckRecord]]()
_RUNNING = pytest.StashKey[Check]()

_WORKER_CHECKS = "turnout_checks"

UNIT = "unit"
"""Stands for the target where a test proves a rule on one part, without a gateway."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("turnout", "Turnout conformance")
    group.addoption("--target", default=None, help="comma list of binary, module, url (default: binary,module)")
    group.addoption(
        "--turnout-binary", default=None, help="the executable (else $TURNOUT_BINARY, else build/dev/turnout)"
    )
    group.addoption("--target-url", default=None, help="base URL of a running gateway; implies --target url")
    group.addoption("--target-features", default=None, help="YAML file: what the gateway at --target-url can do")
    group.addoption("--turnout-report", default=None, help="write report.json to this file")
    group.addoption("--rules", default=str(RULES_DIRECTORY), help="folder of the rule files")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the numbered rules that a scenario asserts, each by a check")
    config.addinivalue_line("markers", "needs(*features): what a target must be able to do for the scenario to apply")
    config.stash[_RECORDS] = []
    try:
        config.stash[_TARGETS] = _select_targets(config)
    except (TargetError, OSError) as error:
        raise pytest.UsageError(str(error)) from error


def _select_targets(config: pytest.Config) -> dict[str, Target]:
    url = config.getoption("--target-url")
    names = config.getoption("--target") or ("url" if url else "binary,module")
    targets: dict[str, Target] = {}
    for name in names.split(","):
        if name == "binary":
            executable = config.getoption("--turnout-binary") or os.environ.get("TURNOUT_BINARY") or DEFAULT_BINARY
            targets[name] = BinaryTarget(Path(executable).resolve())
        elif name == "module":
            targets[name] = ModuleTarget()
        elif name == "url" and url:
            file = config.getoption("--target-features")
            targets[name] = UrlTarget(url, Declaration.read(Path(file)) if file else Declaration(frozenset()))
        else:
            raise TargetError(f"--target {name}: expected binary, module, or url with --target-url")
    return targets


@pytest.hookimpl(trylast=True)  # so that the target ends the name of a test
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "target" not in metafunc.fixturenames:
        return
    needs = _needs(metafunc.definition)
    targets = metafunc.config.stash[_TARGETS]
    # The module has no command line and the like; what a foreign gateway lacks is reported as skipped.
    names = [name for name, target in targets.items() if name == "url" or needs <= target.features]
    metafunc.parametrize("target_name", names, ids=names)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    scenarios = [item for item in items if _uses_check(item) or _rules(item)]
    if not scenarios:
        return
    try:
        known = load_rule_ids(Path(config.getoption("--rules")))
    except RulesError as error:
        raise pytest.UsageError(str(error)) from error
    problems = []
    for item in scenarios:
        rules = _rules(item)
        if not rules:
            problems.append(f"{item.nodeid}: no @pytest.mark.rule")
        problems += [f"{item.nodeid}: unknown rule {rule}" for rule in sorted(rules - known)]
        problems += [f"{item.nodeid}: unknown feature {name}" for name in sorted(_needs(item) - ALL_FEATURES)]
    if problems:
        raise pytest.UsageError("\n".join(problems))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Ends the checks inside the test's own phase, so that a scenario with a failed check is itself failed.

    A test with the rule marker and without the check fixture proves its rules as a whole, on one part.
    """
    check = item.stash.get(_RUNNING, None)
    unit = _check_of(item) if check is None and _rules(item) else None
    try:
        result = yield
    except BaseException as error:
        if check is not None:
            check.finish(error)
        if unit is not None:
            unit.settle(error)
        raise
    if check is not None:
        check.finish(None)
    if unit is not None:
        unit.settle(None)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Records the rules of a scenario whose fixtures fail as not run: a missing prerequisite is a failure."""
    try:
        return (yield)
    except Exception as error:
        if _uses_check(item):
            _check_of(item).finish(error)
        raise


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # one of several processes (pytest-xdist), of which the first one reports
        output[_WORKER_CHECKS] = [
            (record.rule, record.scenario, record.target, record.outcome.value, record.message)
            for record in session.config.stash[_RECORDS]
        ]
        return
    file = session.config.getoption("--turnout-report")
    if file and not session.config.getoption("collectonly"):
        targets = session.config.stash[_TARGETS]
        records = session.config.stash[_RECORDS]
        used = {record.target for record in records} or set(targets)
        features = {name: targets[name].features if name in targets else frozenset() for name in sorted(used)}
        write_report(build_report(features, records), Path(file))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes over what a process of pytest-xdist asserted; one that crashed has told nothing."""
    told = getattr(node, "workeroutput", {}).get(_WORKER_CHECKS, ())
    for rule, scenario, target_name, outcome, message in told:
        node.config.stash[_RECORDS].append(CheckRecord(rule, scenario, target_name, Outcome(outcome), message))


@pytest.fixture
def target(request: pytest.FixtureRequest, target_name: str) -> Target:
    """The target of this run of the scenario. Skips if it declares that it lacks what the scenario needs."""
    chosen = request.config.stash[_TARGETS][target_name]
    lacking = sorted(_needs(request.node) - chosen.features)
    if lacking:
        reason = f"declared lacking: {', '.join(lacking)}"
        _check_of(request.node).skip(reason)
        pytest.skip(reason)
    return chosen


@pytest.fixture
def check(request: pytest.FixtureRequest, target: Target) -> Check:
    """Records assertions: `with check("RULE-ID"): assert ...`."""
    del target  # decides first whether the scenario applies
    running = _check_of(request.node)
    request.node.stash[_RUNNING] = running
    return running


def _uses_check(item: pytest.Item) -> bool:
    return "check" in getattr(item, "fixturenames", ())


def _check_of(item: pytest.Item) -> Check:
    parameters = getattr(item, "callspec", None)
    name = str(parameters.params["target_name"]) if parameters is not None and _uses_check(item) else ""
    records = item.config.stash[_RECORDS]
    return Check(_scenario(item.nodeid, name), name or UNIT, _rules(item), records.append)


def _scenario(nodeid: str, target: str) -> str:
    """`conformance/scenarios/chat/test_x.py::test_y[case-binary]` gives `chat/test_x.py::test_y[case]`."""
    name = nodeid
    if target:
        name = nodeid.removesuffix("]").removesuffix(target)
        name = name.removesuffix("[") if name.endswith("[") else name.removesuffix("-") + "]"
    return name.removeprefix("conformance/").removeprefix("scenarios/")


def _rules(item: pytest.Item) -> frozenset[str]:
    return frozenset(str(rule) for marker in item.iter_markers("rule") for rule in marker.args)


def _needs(node: pytest.Item | pytest.Collector) -> frozenset[str]:
    return frozenset(str(name) for marker in node.iter_markers("needs") for name in marker.args)
