"""Reads and writes the files of spec/ and the reports of runs; what a schema refuses becomes a fault."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import yaml

from tools.rules.model import Check, MappedSection, MappedSentence, Origin, Outcome, Page, Rule, RuleCoverage, Sources


class SpecError(Exception):
    """A file that cannot be used at all. Its text has one fault a line."""


def _validated(value: object, schema: str, spec: Path, name: str) -> Any:
    """The value, if the schema accepts it; else every place where it does not."""
    declared = json.loads((spec / "schemas" / f"{schema}.schema.json").read_text(encoding="utf-8"))
    errors = sorted(jsonschema.Draft202012Validator(declared).iter_errors(value), key=lambda error: error.json_path)
    if errors:
        raise SpecError("\n".join(f"{name}: {error.json_path}: {error.message}" for error in errors))
    return value


def _parsed(path: Path) -> object:
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise SpecError(f"{path.name}: {error}") from error


def read_rules(spec: Path) -> list[Rule]:
    """Every row of rules/*.yaml, files in the order of their names."""
    rules: list[Rule] = []
    faults: list[str] = []
    for path in sorted((spec / "rules").glob("*.yaml")):
        try:
            area = _validated(_parsed(path), "rules", spec, path.name)
        except SpecError as error:
            faults.append(str(error))
            continue
        rules += [_rule(area["area"], row) for row in area["rules"]]
    if not rules and not faults:
        faults.append(f"{spec / 'rules'}: no rules")
    if faults:
        raise SpecError("\n".join(faults))
    return rules


def _rule(area: str, row: Mapping[str, Any]) -> Rule:
    source = row["source"]
    return Rule(row["id"], area, source["page"], source["section"], row.get("proof"), row.get("status"), row.get("by"))


def read_sources(spec: Path) -> Sources:
    """sources.yaml."""
    value = _validated(_parsed(spec / "sources.yaml"), "sources", spec, "sources.yaml")
    origins = {name: Origin(row["title"], tuple(row["sections"])) for name, row in value["origins"].items()}
    return Sources(origins, [_page(row) for row in value["pages"]])


def _page(row: Mapping[str, Any]) -> Page:
    sections = tuple(
        MappedSection(
            section["title"],
            tuple(
                MappedSentence(one["n"], one["hash"], tuple(one["rules"]), one.get("partly", ""))
                for one in section["sentences"]
            ),
        )
        for section in row["sections"]
    )
    return Page(row["id"], row["title"], row["url"], row["edition"], sections)


def read_report(path: Path, spec: Path) -> list[Check]:
    """The checks of a report.json."""
    value = _validated(_parsed(path), "report", spec, path.name)
    return [Check(one["rule"], one["scenario"], one["target"], one["outcome"]) for one in value["checks"]]


def read_unit_results(path: Path) -> list[Check]:
    """The unit proofs in a GoogleTest XML file, or in every one of a folder.

    A test registers with `RecordProperty("rules", "AREA-TOPIC-001 AREA-TOPIC-002")`.
    """
    if not path.exists():
        raise SpecError(f"{path}: no such file or folder")
    files = sorted(path.rglob("*.xml")) if path.is_dir() else [path]
    return [check for file in files for check in _unit_checks(file)]


def _unit_checks(path: Path) -> list[Check]:
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise SpecError(f"{path.name}: {error}") from error
    checks: list[Check] = []
    for case in root.iter("testcase"):
        named = [one.get("value", "") for one in case.iter("property") if one.get("name") == "rules"]
        named.append(case.get("rules", ""))
        scenario = f"{case.get('classname', '')}.{case.get('name', '')}"
        ran = case.get("status", "run") == "run" and case.find("skipped") is None
        outcome: Outcome = "failed" if case.find("failure") is not None else "passed" if ran else "skipped"
        checks += [Check(rule, scenario, "unit", outcome) for rule in " ".join(named).split()]
    return checks


def read_snapshot(spec: Path) -> dict[str, RuleCoverage]:
    """coverage.json."""
    value = _validated(_parsed(spec / "coverage.json"), "coverage", spec, "coverage.json")
    return {
        rule: RuleCoverage(row["state"], tuple(row.get("passed", ())), tuple(row.get("scenarios", ())))
        for rule, row in value["rules"].items()
    }


def write_snapshot(spec: Path, coverage: Mapping[str, RuleCoverage]) -> None:
    """Writes coverage.json: sorted, without time, one line for a rule that nothing proves."""
    rows = []
    for rule, entry in sorted(coverage.items()):
        row: dict[str, object] = {"state": entry.state}
        if entry.passed:
            row |= {"passed": list(entry.passed), "scenarios": list(entry.scenarios)}
        rows.append(f"    {json.dumps(rule)}: {json.dumps(row)}")
    text = '{\n  "format": 1,\n  "rules": {\n' + ",\n".join(rows) + "\n  }\n}\n"
    (spec / "coverage.json").write_text(text, encoding="utf-8")
