"""The splitter on small pages of each kind, and the map that follows a page's changes."""

import pytest

from tools.rules.mapping import lost, refreshed, render, with_page
from tools.rules.model import MappedSection, MappedSentence, Origin, Page, Sources
from tools.rules.sentences import Sentence, split_page, split_prose

MARKDOWN = """\
# Letters

> What letters are.

URL: https://example.org/letters
Language: English

A letter comes
first. Then comes another.

## Kinds of `letters`

| Letter | Place |
|---|---:|
| `a` | First. Always. |
| b | 2 |

- **a** - the first. It is short.
- b

```yaml
a: 1

b: 2
```
"""


def texts(page: str) -> list[tuple[str, list[str]]]:
    """Section titles with their sentences."""
    return [(section.title, [one.text for one in section.sentences]) for section in split_page(page)]


def test_prose_rows_items_and_code_are_sentences() -> None:
    assert texts(MARKDOWN) == [
        ("Letters", ["What letters are.", "A letter comes first.", "Then comes another."]),
        (
            "Kinds of letters",
            [
                "| `a` | First. Always. |",
                "| b | 2 |",
                "**a** - the first.",
                "It is short.",
                "b",
                "a: 1\n\nb: 2",
            ],
        ),
    ]


def test_ordinals_run_through_the_page() -> None:
    assert [one.n for section in split_page(MARKDOWN) for one in section.sentences] == list(range(1, 10))


def test_plain_text_has_headings_bullets_and_commands() -> None:
    page = "Letters\n\nThey come in order.\n\nUsing them\n\n"
    page += "\u2022 a \u2014 first.\n\u2022 b\n\ncurl -X PUT \\\n  -d '{}'\n"
    assert texts(page) == [
        ("Letters", ["They come in order."]),
        ("Using them", ["a \u2014 first.", "b", "curl -X PUT \\\n  -d '{}'"]),
    ]


def test_elements_of_mdx_are_no_sentences() -> None:
    page = (
        "# Letters\n\nimport Box from './Box';\n\n<Box type=\"warning\">\n\nMind the gap.\n\n</Box>\n\n"
        "<NextSteps items={[\n  { title: 'More' },\n  { title: 'Less' }\n]} />\n"
    )
    assert texts(page) == [("Letters", ["Mind the gap.", "{ title: 'More' },", "{ title: 'Less' }"])]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One. Two.", 2),
        ("It waits 0.5 s. Then `b` follows.", 2),
        ("Some letters (e.g. A) come first.", 1),
        ("**One.** Two! (Three?) Four", 4),
        ("Ends with code. `null` disables it.", 2),
        ("See vs. Others here.", 1),
        ("", 0),
    ],
)
def test_where_sentences_end(text: str, count: int) -> None:
    assert len(split_prose(text)) == count


def test_the_hash_ignores_line_breaks_only() -> None:
    assert Sentence(1, "A letter\n  comes first.").hash == Sentence(9, "A letter comes first.").hash
    assert Sentence(1, "A letter comes first.").hash != Sentence(1, "A letter comes last.").hash


def mapped(text: str) -> Page:
    """The page as it is mapped for the first time."""
    return refreshed(Page("000", "Letters", "https://example.org", "The only one.", ()), split_page(text))


def test_a_refreshed_page_keeps_the_rules_of_unchanged_sentences() -> None:
    before = mapped("# L\n\nOne. Two. Three.\n")
    first, second, third = before.sentences()
    known = (first, MappedSentence(2, second.hash, ("ABC-ONE-001",), partly="the rest"), third)
    before = Page("000", "Letters", before.url, before.edition, (MappedSection("L", known),))
    after = refreshed(before, split_page("# L\n\nNew. One. Two.\n"))
    assert [one.rules for one in after.sentences()] == [(), (), ("ABC-ONE-001",)]
    assert after.sentences()[2] == MappedSentence(3, second.hash, ("ABC-ONE-001",), partly="the rest")
    assert lost(before, after) == []
    assert lost(before, mapped("# L\n\nOne.\n")) == ["2: ABC-ONE-001"]


def test_the_rendered_map_is_stable() -> None:
    sources = Sources({"decision": Origin("Here", ("order",)), "wire": Origin("There", ())}, [])
    one = with_page(sources, mapped("# L\n\nOne. Two.\n"))
    assert render(one) == render(with_page(one, mapped("# L\n\nOne. Two.\n")))
    assert '- {n: 2, hash: "' in render(one)
