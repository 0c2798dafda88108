"""The values that the tools around spec/ exchange."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Proof = Literal["scenario", "binary", "unit"]
Target = Literal["binary", "module", "url", "unit"]
Outcome = Literal["passed", "failed", "skipped"]
State = Literal["proven", "unproven", "failed", "superseded", "excluded"]

NEEDED_TARGETS: Mapping[Proof, frozenset[Target]] = {
    "scenario": frozenset({"binary", "module"}),
    "binary": frozenset({"binary"}),
    "unit": frozenset({"unit"}),
}
"""Targets on which a check must have passed before a rule with that proof is proven."""


@dataclass(frozen=True)
class Rule:
    """One row of spec/rules/*.yaml. `proof` is absent where the rule is superseded or excluded."""

    id: str
    area: str
    page: str
    section: str
    proof: Proof | None = None
    status: Literal["superseded", "excluded"] | None = None
    by: str | None = None


@dataclass(frozen=True)
class MappedSentence:
    """One sentence of a page as spec/sources.yaml names it. No rules = open; `partly` = what of it is still open."""

    n: int
    hash: str
    rules: tuple[str, ...] = ()
    partly: str = ""


@dataclass(frozen=True)
class MappedSection:
    """A heading of a page and its sentences."""

    title: str
    sentences: tuple[MappedSentence, ...]


@dataclass(frozen=True)
class Page:
    """A page that rules are taken from."""

    id: str
    title: str
    url: str
    edition: str
    sections: tuple[MappedSection, ...]

    def sentences(self) -> list[MappedSentence]:
        """All sentences in their order."""
        return [sentence for section in self.sections for sentence in section.sentences]


@dataclass(frozen=True)
class Origin:
    """Where a rule comes from if not from a page: settled by this project, or shown by providers and their SDKs."""

    title: str
    sections: tuple[str, ...]


@dataclass(frozen=True)
class Sources:
    """spec/sources.yaml."""

    origins: Mapping[str, Origin]
    pages: Sequence[Page]

    def sections_of(self, page: str) -> set[str]:
        """Section titles that a rule's source may name."""
        if page in self.origins:
            return set(self.origins[page].sections)
        return {section.title for known in self.pages if known.id == page for section in known.sections}


@dataclass(frozen=True)
class Check:
    """One assertion of one rule that a run made."""

    rule: str
    scenario: str
    target: Target
    outcome: Outcome


@dataclass(frozen=True)
class RuleCoverage:
    """What the snapshot holds about one rule: its state, and the targets and scenarios that passed."""

    state: State
    passed: tuple[Target, ...] = ()
    scenarios: tuple[str, ...] = ()
