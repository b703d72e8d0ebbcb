#!/usr/bin/env python3
"""Checks the documentation: every link has a target, every path exists, every name of the guide is in the list of the API."""

import pathlib
import re
import sys


def links(page, text):
    """Targets of links, and paths in code, that do not exist."""
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            yield f"{page}: link to {target}"
    for path in re.findall(r"`((?:crates|docs)/[A-Za-z0-9_./-]+)`", text):
        if not pathlib.Path(path).exists():
            yield f"{page}: names {path}"


def items(api):
    """Names of the public types, each with what its entries in the list say."""
    found = {}
    for entry in re.split(r"\n(?=\S)", api):
        head = re.match(r"(?:struct|enum|trait|type) taut::(?:\w+::)*(\w+)\n?", entry)
        if head:
            found[head[1]] = found.get(head[1], "") + entry[head.end() :]
    return found


def names(page, text, known):
    """`Type::name` in the guide where the type or the name is not there. Other engines' types are theirs."""
    for owner, name in re.findall(r"`(?:taut::)?([A-Z]\w+)::(\w+)", text):
        if owner not in known:
            if page.name != "coming-from.md":
                yield f"{page}: there is no {owner}"
        elif not re.search(rf"\b{name}\b", known[owner]):
            yield f"{page}: {owner} has no {name}"


def main():
    known = items(pathlib.Path("docs/api.txt").read_text(encoding="utf-8"))
    bad = []
    for page in sorted([*pathlib.Path(".").glob("*.md"), *pathlib.Path("docs").rglob("*.md")]):
        text = page.read_text(encoding="utf-8")
        bad += links(page, text)
        if page.parent.name == "guide":
            bad += names(page, text, known)
    print("\n".join(bad) or "all targets and names exist")
    sys.exit(bool(bad))


main()
