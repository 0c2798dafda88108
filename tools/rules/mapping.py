"""Names a page's sentences for spec/sources.yaml, and keeps what was already known about them. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tools.rules.model import MappedSection, MappedSentence, Page, Sources
from tools.rules.sentences import Section

_HEAD = """\
# Every sentence of the pages that define the gateway, by ordinal and hash, with the rules that carry it.
# `rules: []` = open: no rule yet. `partly: REST` = the rules carry all but the rest. The texts are not copied.
# Refreshed by tools/map_sources.py, which keeps the lists of rules of sentences that did not change.
"""


def refreshed(page: Page, sections: Iterable[Section]) -> Page:
    """The page with these sentences; a sentence whose words did not change keeps its rules."""
    known: dict[str, list[MappedSentence]] = defaultdict(list)
    for sentence in page.sentences():
        known[sentence.hash].append(sentence)
    mapped = tuple(
        MappedSection(section.title, tuple(_carried(known, one.n, one.hash) for one in section.sentences))
        for section in sections
    )
    return replace(page, sections=mapped)


def _carried(known: dict[str, list[MappedSentence]], n: int, digest: str) -> MappedSentence:
    earlier = known[digest]
    return replace(earlier.pop(0), n=n) if earlier else MappedSentence(n, digest)


def lost(page: Page, fresh: Page) -> list[str]:
    """Rules of sentences that the fresh page no longer has, each with the ordinal that it had."""
    kept = {sentence.hash for sentence in fresh.sentences()}
    return [
        f"{sentence.n}: {' '.join(sentence.rules)}"
        for sentence in page.sentences()
        if sentence.rules and sentence.hash not in kept
    ]


def with_page(sources: Sources, page: Page) -> Sources:
    """The sources with one page replaced or added, pages in the order of their ids."""
    others = [known for known in sources.pages if known.id != page.id]
    return replace(sources, pages=sorted([*others, page], key=lambda one: one.id))


def render(sources: Sources) -> str:
    """The text of sources.yaml: one line a sentence."""
    lines = [_HEAD, "origins:"]
    for name, origin in sorted(sources.origins.items()):
        lines += [f"  {name}:", f"    title: {_quoted(origin.title)}", "    sections:"]
        lines += [f"      - {_quoted(section)}" for section in origin.sections]
    lines.append("pages:")
    for page in sources.pages:
        lines += [f'  - id: "{page.id}"', f"    title: {_quoted(page.title)}", f"    url: {page.url}"]
        lines += [f"    edition: {_quoted(page.edition)}", "    sections:"]
        for section in page.sections:
            lines += [f"      - title: {_quoted(section.title)}", "        sentences:"]
            lines += [_sentence_line(sentence) for sentence in section.sentences]
    return "\n".join(lines) + "\n"


def _sentence_line(sentence: MappedSentence) -> str:
    partly = f", partly: {_quoted(sentence.partly)}" if sentence.partly else ""
    return f'          - {{n: {sentence.n}, hash: "{sentence.hash}", rules: [{_wrapped(sentence.rules)}]{partly}}}'


def _wrapped(rules: Sequence[str]) -> str:
    rows = [", ".join(rules[at : at + 4]) for at in range(0, len(rules), 4)]
    return (",\n" + " " * 14).join(rows)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
