"""What must hold between the rules and the pages they come from. Pure."""

from collections import Counter
from collections.abc import Sequence

from tools.rules.model import Page, Rule, Sources


def rule_faults(rules: Sequence[Rule], sources: Sources) -> list[str]:
    """Faults of the rules: ids, areas, successors and the sections they name."""
    faults = [
        f"{rule}: {count} rules have this id"
        for rule, count in sorted(Counter(rule.id for rule in rules).items())
        if count > 1
    ]
    known = {rule.id: rule for rule in rules}
    for rule in rules:
        if not rule.id.startswith(f"{rule.area}-"):
            faults.append(f"{rule.id}: does not begin with its file's area {rule.area}")
        if rule.section not in sources.sections_of(rule.page):
            faults.append(f"{rule.id}: sources.yaml lists no section {rule.section!r} of {rule.page}")
        if rule.by is not None:
            successor = known.get(rule.by)
            if successor is None:
                faults.append(f"{rule.id}: superseded by {rule.by}, which no rule has as its id")
            elif successor.status is not None:
                faults.append(f"{rule.id}: superseded by {rule.by}, which is {successor.status} itself")
    return faults


def source_faults(rules: Sequence[Rule], sources: Sources) -> list[str]:
    """Faults of the map from sentences to rules."""
    known = {rule.id for rule in rules}
    faults = [
        f"sources.yaml: page {page} occurs {count} times"
        for page, count in sorted(Counter(page.id for page in sources.pages).items())
        if count > 1
    ]
    for page in sources.pages:
        for at, sentence in enumerate(page.sentences(), start=1):
            if sentence.n != at:
                faults.append(f"sources.yaml: page {page.id}: sentence {sentence.n} stands where {at} should")
            if sentence.partly and not sentence.rules:
                faults.append(f"sources.yaml: page {page.id}, sentence {sentence.n}: partly, but by no rule")
            faults += [
                f"sources.yaml: page {page.id}, sentence {sentence.n}: {rule} is no rule's id"
                for rule in sentence.rules
                if rule not in known
            ]
    return faults + _unanchored(rules, sources)


def _unanchored(rules: Sequence[Rule], sources: Sources) -> list[str]:
    named = {
        (page.id, section.title, rule)
        for page in sources.pages
        for section in page.sections
        for sentence in section.sentences
        for rule in sentence.rules
    }
    pages = {page.id for page in sources.pages}
    return [
        f"{rule.id}: no sentence in section {rule.section!r} of page {rule.page} names it"
        for rule in rules
        if rule.page in pages and (rule.page, rule.section, rule.id) not in named
    ]


def open_sentences(page: Page) -> tuple[int, int, int]:
    """How many sentences of a page are covered, covered in part, and open."""
    partly = sum(bool(sentence.partly) for sentence in page.sentences())
    is_open = sum(not sentence.rules for sentence in page.sentences())
    return len(page.sentences()) - partly - is_open, partly, is_open
