"""Joins rules with the checks of real runs. Pure: files are read and written elsewhere."""

from collections.abc import Iterable, Mapping, Sequence

from tools.rules.model import NEEDED_TARGETS, Check, Rule, RuleCoverage, State, Target

Coverage = Mapping[str, RuleCoverage]


def join(rules: Iterable[Rule], checks: Sequence[Check]) -> dict[str, RuleCoverage]:
    """The state of every rule after the checks, in the order of ids. Checks on other gateways (`url`) do not count."""
    by_rule: dict[str, list[Check]] = {}
    for check in checks:
        if check.target != "url":
            by_rule.setdefault(check.rule, []).append(check)
    return {rule.id: _judge(rule, by_rule.get(rule.id, [])) for rule in sorted(rules, key=lambda rule: rule.id)}


def _judge(rule: Rule, checks: Sequence[Check]) -> RuleCoverage:
    if rule.status is not None or rule.proof is None:
        return RuleCoverage(rule.status or "unproven")
    failed: set[Target] = {check.target for check in checks if check.outcome == "failed"}
    passes = [check for check in checks if check.outcome == "passed" and check.target not in failed]
    passed: set[Target] = {check.target for check in passes}
    state: State = "failed" if failed else "proven" if passed >= NEEDED_TARGETS[rule.proof] else "unproven"
    scenarios = {check.scenario.partition("[")[0] for check in passes}
    return RuleCoverage(state, tuple(sorted(passed)), tuple(sorted(scenarios)))


def check_faults(rules: Iterable[Rule], checks: Iterable[Check]) -> list[str]:
    """Checks whose rule does not exist or is not in force."""
    known = {rule.id: rule for rule in rules}
    faults = set()
    for check in checks:
        rule = known.get(check.rule)
        if rule is None:
            faults.add(f"{check.scenario}: checks {check.rule}, which no rule has as its id")
        elif rule.status is not None:
            faults.add(f"{check.scenario}: checks {check.rule}, which is {rule.status}")
    return sorted(faults)


def snapshot_faults(rules: Iterable[Rule], snapshot: Coverage) -> list[str]:
    """Where the committed snapshot does not list exactly the rules, or contradicts their status."""
    known = {rule.id: rule for rule in rules}
    faults = [f"coverage.json: {rule} is not listed" for rule in sorted(known.keys() - snapshot.keys())]
    faults += [f"coverage.json: {rule} is no rule's id" for rule in sorted(snapshot.keys() - known.keys())]
    for rule_id in sorted(known.keys() & snapshot.keys()):
        rule, state = known[rule_id], snapshot[rule_id].state
        listed = state if state in ("superseded", "excluded") else None
        if listed != rule.status:
            faults.append(f"coverage.json: {rule_id} is listed as {state} and is {rule.status or 'in force'}")
        elif rule.proof and state == "proven" and not set(snapshot[rule_id].passed) >= NEEDED_TARGETS[rule.proof]:
            faults.append(f"coverage.json: {rule_id} is listed as proven without a pass on every target it needs")
    return faults


def stale(fresh: Coverage, snapshot: Coverage) -> list[str]:
    """Rules on which the committed snapshot differs from what the reports give."""
    changed = sorted(rule for rule in fresh.keys() | snapshot.keys() if fresh.get(rule) != snapshot.get(rule))
    return [
        f"coverage.json: {rule} is stale ({_state(snapshot, rule)}; the reports say {_state(fresh, rule)})"
        for rule in changed
    ]


def missing(states: Coverage) -> list[str]:
    """Rules in force that are not proven."""
    return [f"{rule}: {entry.state}" for rule, entry in sorted(states.items()) if entry.state in ("unproven", "failed")]


def _state(coverage: Coverage, rule: str) -> str:
    entry = coverage.get(rule)
    return "absent" if entry is None else " ".join([entry.state, *entry.passed])
