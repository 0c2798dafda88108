"""The per-check object: which rule was asserted in which scenario on which target, and how it came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import TracebackType

import pytest


class Outcome(Enum):
    """How one check came out. The id of a check is the same whether it passes or fails."""

    PASSED = "passed"
    FAILED = "failed"  # the message begins with `error:` or `not run:` if no assertion of the check came to fail
    SKIPPED = "skipped"  # the target declares that it lacks the feature


@dataclass(frozen=True)
class CheckRecord:
    """One assertion of one rule."""

    rule: str
    scenario: str
    target: str
    outcome: Outcome
    message: str = ""


class ChecksFailed(AssertionError):
    """At least one check of a scenario did not hold; the message lists them all."""


Add = Callable[[tuple[str, ...], Outcome, str], None]


class CheckBlock:
    """One `with check(...)` block. Swallows what its assertion raises, so that later checks get their own outcome."""

    def __init__(self, rules: tuple[str, ...], add: Add) -> None:
        self._rules = rules
        self._add = add

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None:
            self._add(self._rules, Outcome.PASSED, "")
            return True
        if isinstance(error, (AssertionError, pytest.fail.Exception)):
            self._add(self._rules, Outcome.FAILED, str(error) or "assertion failed")
            return True
        if isinstance(error, Exception):
            self._add(self._rules, Outcome.FAILED, f"error: {type(error).__name__}: {error}")
            return True
        return False


class Check:
    """Given to a scenario as the fixture `check`.

    `with check("RULE-ID"): assert ...` records the rule as proven if the block runs to its end. A failing block is
    recorded and the scenario goes on; it fails at its end.
    """

    def __init__(
        self, scenario: str, target: str, declared: frozenset[str], record: Callable[[CheckRecord], None]
    ) -> None:
        self.scenario = scenario
        self.target = target
        self._declared = declared
        self._record = record
        self._seen: set[str] = set()
        self._failures: list[str] = []

    def __call__(self, *rules: str) -> CheckBlock:
        """Asserts `rules` by the block under it. Raises LookupError for a rule that the marker does not name."""
        unnamed = sorted(set(rules) - self._declared)
        if unnamed or not rules:
            raise LookupError(f"not named in @pytest.mark.rule: {', '.join(unnamed) or '(no rule)'}")
        return CheckBlock(rules, self._add)

    def finish(self, error: BaseException | None) -> None:
        """Ends the scenario: rules that it names but never asserted have failed.

        Raises ChecksFailed if any check failed or was never reached, unless the scenario ended by `error`.
        """
        reason = f"the scenario ended early: {type(error).__name__}: {error}" if error else "never asserted"
        for rule in sorted(self._declared - self._seen):
            self._add((rule,), Outcome.FAILED, f"not run: {reason}")
        if self._failures and error is None:
            raise ChecksFailed("\n".join(self._failures))

    def settle(self, error: BaseException | None) -> None:
        """Gives every named rule the outcome of the test as a whole."""
        outcome = Outcome.PASSED if error is None else Outcome.FAILED
        for rule in sorted(self._declared):
            self._add((rule,), outcome, "" if error is None else str(error) or type(error).__name__)

    def skip(self, reason: str) -> None:
        """Records every named rule as legitimately not applicable to the target."""
        for rule in sorted(self._declared):
            self._record(CheckRecord(rule, self.scenario, self.target, Outcome.SKIPPED, reason))

    def _add(self, rules: tuple[str, ...], outcome: Outcome, message: str) -> None:
        for rule in rules:
            self._seen.add(rule)
            self._record(CheckRecord(rule, self.scenario, self.target, outcome, message))
        if outcome is not Outcome.PASSED:
            self._failures.append(f"{', '.join(rules)}: {message}")
