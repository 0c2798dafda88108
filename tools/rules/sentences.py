"""Splits a page into its sentences, the same way every time. Pure.

One sentence each: what ends with a full stop in running text, a table row (not its head), a list item's sentences,
a whole block of code, an entry of a navigation element.
"""

import hashlib
import re
from dataclasses import dataclass, field

_END = re.compile(r"""(?<=[.!?])(?P<close>[*_)"'`\]]*)\s+(?=[A-Z`*_("\[])""")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\be\.g|\bi\.e|\bvs|\betc)\.$")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+\.)\s+")
_HEADING = re.compile(r"^#{1,6}\s+(?P<title>.+)$")
_TAG = re.compile(r"^</?[A-Z][A-Za-z]*(?:\s[^>]*)?>$")
_DROPPED = re.compile(r"^(?:URL|Source|Language): |^import .+ from .+;$|^---$")
_TABLE_RULE = re.compile(r"^\|[\s:|-]+\|$")
_NAVIGATION_ENTRY = re.compile(r"^\{.*\},?$")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a page: its ordinal from 1 and the hash of its words."""

    n: int
    text: str

    @property
    def hash(self) -> str:
        """First 12 hex digits of the SHA-256 of the text with runs of white space made one space."""
        return hashlib.sha256(normalised(self.text).encode()).hexdigest()[:12]


@dataclass
class Section:
    """A heading of a page with the sentences below it, up to the next heading."""

    title: str
    sentences: list[Sentence] = field(default_factory=list)


def normalised(text: str) -> str:
    """The text with every run of white space made one space."""
    return " ".join(text.split())


def split_prose(text: str) -> list[str]:
    """Cuts running text at its full stops; abbreviations and numbers do not end a sentence."""
    text = normalised(text)
    found: list[str] = []
    begin = 0
    for match in _END.finditer(text):
        candidate = text[begin : match.start()]
        if _ABBREVIATION.search(candidate):
            continue
        found.append(text[begin : match.end()].strip())
        begin = match.end()
    rest = text[begin:].strip()
    return [*found, rest] if rest else found


def split_page(page: str) -> list[Section]:
    """Splits a page in Markdown, MDX or plain text; plain text is what has no `#` heading."""
    markdown = any(_HEADING.match(line) for line in page.splitlines())
    return _Splitter(markdown).run(page)


class _Splitter:
    def __init__(self, markdown: bool) -> None:
        self._markdown = markdown
        self._sections: list[Section] = []
        self._count = 0
        self._prose: list[str] = []

    def run(self, page: str) -> list[Section]:
        lines = page.splitlines()
        at = 0
        while at < len(lines):
            at = self._take(lines, at)
        self._flush()
        return [section for section in self._sections if section.sentences]

    def _take(self, lines: list[str], at: int) -> int:
        """Consumes the block that begins at a line and returns the line after it."""
        line = lines[at]
        bare = line.strip()
        if bare.startswith("```"):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip().startswith("```"))
            self._flush()
            self._add("\n".join(lines[at + 1 : end]))
            return end + 1
        if not self._markdown and bare.startswith("curl "):
            end = next((i for i in range(at, len(lines)) if not lines[i].strip()), len(lines))
            self._flush()
            self._add("\n".join(lines[at:end]))
            return end
        if not bare or _DROPPED.match(bare) or _TAG.match(bare):
            self._flush()
        elif title := self._heading(lines, at):
            self._flush()
            self._sections.append(Section(title))
        elif bare.startswith("|"):
            return self._table(lines, at)
        elif _NAVIGATION_ENTRY.match(bare):
            self._flush()
            self._add(bare)
        elif not bare.startswith("<NextSteps") and bare != "]} />":
            if _ITEM.match(line):
                self._flush()
            self._prose.append(_ITEM.sub("", bare).removeprefix("> "))
        return at + 1

    def _heading(self, lines: list[str], at: int) -> str | None:
        bare = lines[at].strip()
        if match := _HEADING.match(bare):
            return match["title"].replace("`", "").strip()
        alone = at + 1 == len(lines) or not lines[at + 1].strip()
        short = len(bare) < 70 and not bare.endswith((".", ":", "!", "?", "}", "'")) and not _ITEM.match(bare)
        return bare if not self._markdown and not self._prose and alone and short else None

    def _table(self, lines: list[str], at: int) -> int:
        self._flush()
        end = next((i for i in range(at, len(lines)) if not lines[i].strip().startswith("|")), len(lines))
        rows = [line.strip() for line in lines[at:end]]
        body = rows[2:] if len(rows) > 1 and _TABLE_RULE.match(rows[1]) else rows
        for row in body:
            self._add(row)
        return end

    def _flush(self) -> None:
        for sentence in split_prose(" ".join(self._prose)):
            self._add(sentence)
        self._prose.clear()

    def _add(self, text: str) -> None:
        if not self._sections:
            self._sections.append(Section("Preamble"))
        self._count += 1
        self._sections[-1].sentences.append(Sentence(self._count, text))
