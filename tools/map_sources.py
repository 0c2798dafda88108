#!/usr/bin/env python3
"""Refreshes one page of spec/sources.yaml from a file with the page's text.

    tools/map_sources.py 000 PAGE.txt [--title T --url U --edition E]

The last three describe a page that sources.yaml does not have yet. Lists of rules of unchanged sentences are kept;
those of sentences that are gone are printed, since somebody has to give them a new place.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.rules import mapping
from tools.rules.files import SpecError, read_sources
from tools.rules.model import Page
from tools.rules.sentences import split_page

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Returns 0, or 1 if rules lost their sentence."""
    parser = argparse.ArgumentParser(description="Refreshes one page of spec/sources.yaml.")
    parser.add_argument("page", choices=["000", "001", "003"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--title")
    parser.add_argument("--url")
    parser.add_argument("--edition")
    parser.add_argument("--spec", type=Path, default=ROOT / "spec")
    arguments = parser.parse_args()
    try:
        sources = read_sources(arguments.spec)
    except SpecError as error:
        parser.error(str(error))
    known = next((page for page in sources.pages if page.id == arguments.page), None)
    if known is None:
        if not (arguments.title and arguments.url and arguments.edition):
            parser.error("a page that sources.yaml does not have yet needs --title, --url and --edition")
        known = Page(arguments.page, arguments.title, arguments.url, arguments.edition, ())
    fresh = mapping.refreshed(known, split_page(arguments.file.read_text(encoding="utf-8")))
    (arguments.spec / "sources.yaml").write_text(mapping.render(mapping.with_page(sources, fresh)), encoding="utf-8")
    print(f"page {fresh.id}: {len(fresh.sentences())} sentences")
    orphans = mapping.lost(known, fresh)
    for orphan in orphans:
        print(f"page {fresh.id}: lost sentence {orphan}", file=sys.stderr)
    return 1 if orphans else 0


if __name__ == "__main__":
    sys.exit(main())
