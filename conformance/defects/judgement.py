"""Whether a defect did what it is declared to do: exactly its checks failed, by their own message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conformance.defects.declaration import Defect

Row = Mapping[str, Any]
"""A check of report.json."""

NOT_RUN = "not run:"
ERROR = "error:"


def faults_without(defect: Defect, rows: Iterable[Row]) -> list[str]:
    """What is wrong if the gateway is whole: the defect's scenarios must have run, and every check of them passed."""
    chosen = rows_of(defect, rows)
    absent = [name for name in defect.scenarios if not any(is_run_of(row, name) for row in chosen)]
    foreign = sorted(set(defect.fails) - {str(row["rule"]) for row in chosen})
    return [
        *(f"{scenario}: did not run" for scenario in absent),
        *(f"{rule}: not a check of the scenarios" for rule in foreign),
        *(f"without the defect {_failure(row)}" for row in chosen if row["outcome"] != "passed"),
    ]


def faults_with(defect: Defect, rows: Iterable[Row]) -> list[str]:
    """What is wrong if the gateway is broken: a listed check that held, another one that failed, or an error."""
    failed = [row for row in rows_of(defect, rows) if row["outcome"] != "passed"]
    own = [row for row in failed if _is_own(row, defect)]
    faults = []
    for rule, part in defect.fails.items():
        messages = [_message(row) for row in own if row["rule"] == rule]
        if not messages:
            faults.append(f"{rule}: did not fail")
        elif not any(part in message for message in messages):
            faults.append(f"{rule}: failed by another message than {part!r}: {_gist(messages[0])}")
    reached = {row["scenario"] for row in own}
    for row in failed:
        # What comes after a failed check may not be reached; a scenario that ended before any check is an accident.
        after = _message(row).startswith(NOT_RUN) and row["scenario"] in reached
        if not after and not (row["rule"] in defect.fails and _is_own(row, defect)):
            faults.append(f"also {_failure(row)}")
    return list(dict.fromkeys(faults))


def _is_own(row: Row, defect: Defect) -> bool:
    """Whether the check itself failed: by its assertion, or by an exception that the declaration names as such."""
    message = _message(row)
    if row["target"] == "unit":  # a unit test is one check, whatever ends it
        return True
    if message.startswith(ERROR):
        part = defect.fails.get(str(row["rule"]), "")
        return part.startswith(ERROR) and message.startswith(part)
    return not message.startswith(NOT_RUN)


def rows_of(defect: Defect, rows: Iterable[Row]) -> list[Row]:
    """The checks of the defect's scenarios."""
    return [row for row in rows if any(is_run_of(row, scenario) for scenario in defect.scenarios)]


def is_run_of(row: Row, scenario: str) -> bool:
    """Whether a check belongs to a scenario; a name without parameters means all of them, a file all that it holds."""
    name = str(row["scenario"])
    return name == scenario or name.startswith((f"{scenario}[", f"{scenario}::"))


def uncovered(defects: Sequence[Defect], rules: Iterable[str]) -> list[str]:
    """The families of rules without a defect. A family is the rules whose ids differ in the number only."""
    caught = {family(rule) for defect in defects for rule in defect.fails}
    return sorted({family(rule) for rule in rules} - caught)


def family(rule: str) -> str:
    """`STR-DONE` of `STR-DONE-002`."""
    return rule.rpartition("-")[0]


def _failure(row: Row) -> str:
    return f"{row['rule']} of {row['scenario']} {row['outcome']}: {_gist(_message(row))}"


def _gist(message: str) -> str:
    """The assertion's own line, or the first one, as long as fits on a screen."""
    lines = message.splitlines() or [""]
    return next((line for line in lines if line.startswith("assert ")), lines[0])[:200]


def _message(row: Row) -> str:
    return str(row.get("message", ""))
