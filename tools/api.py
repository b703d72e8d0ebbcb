#!/usr/bin/env python3
"""Lists the public API of crate `taut` from its rustdoc pages: every item, its signature, its public methods and fields.

    tools/api.py DOC_FOLDER            print the list
    tools/api.py DOC_FOLDER --check F  compare it with a file, print what differs
    tools/api.py DOC_FOLDER --examples list the types whose page has no example that is compiled

A change of the list is a change of the API: write it down in CHANGELOG.md and bless the list with
`tools/api.py target/doc > docs/api.txt`.
"""
import difflib
import html
import pathlib
import re
import sys

KINDS = {"struct", "enum", "trait", "fn", "constant", "type", "macro"}

# Types of glam that are handed on under other names.
FOREIGN = {"Mat3", "Quat", "Vec3"}


def text(fragment):
    """The words of a piece of a page."""
    plain = html.unescape(re.sub(r"<[^>]*>", "", fragment))
    return re.sub(r"\s+", " ", plain).strip()


def items(root):
    """Path and page of every public item of our own."""
    pages = (root / "all.html").read_text(encoding="utf-8")
    for link in sorted(set(re.findall(r'<li><a href="([^"]+)"', pages))):
        kind, _, rest = link.rsplit("/", 1)[-1].partition(".")
        if kind in KINDS and rest.removesuffix(".html") not in FOREIGN:
            yield kind, link.replace("/", "::").replace(f"{kind}.", "").removesuffix(".html"), root / link


def methods(page):
    """Signatures of what a type or a trait has of its own: not what it implements or gets by blanket implementations."""
    own = re.split(r'<h2 id="(?:trait-implementations|synthetic-implementations|implementors|foreign-impls)"', page)[0]
    for match in re.finditer(r'id="(?:method|tymethod|associatedconstant|associatedtype)\.[^"]+".*?<h4 class="code-header">(.*?)</h4>', own, re.S):
        yield text(match.group(1))


def listing(root):
    for kind, path, page in items(root):
        content = page.read_text(encoding="utf-8")
        declaration = re.search(r'<pre class="rust item-decl"><code>(.*?)</code></pre>', content, re.S)
        yield f"{kind} taut::{path}"
        if declaration:
            yield f"    {text(declaration.group(1))}"
        for method in methods(content):
            yield f"    {method}"


def main():
    root = pathlib.Path(sys.argv[1]) / "taut"
    if "--examples" in sys.argv:
        missing = [
            path
            for kind, path, page in items(root)
            if kind in {"struct", "enum", "trait"} and 'class="rust rust-example-rendered"' not in page.read_text("utf-8")
        ]
        print("\n".join(missing) or "every type has an example")
        return bool(missing)
    now = list(listing(root))
    if "--check" not in sys.argv:
        print("\n".join(now))
        return False
    file = sys.argv[sys.argv.index("--check") + 1]
    kept = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    if now == kept:
        print(f"{len(now)} lines as in {file}")
        return False
    print("\n".join(difflib.unified_diff(kept, now, file, "now", lineterm="", n=1)))
    print("the API has changed: note it in CHANGELOG.md and bless it with: tools/api.py target/doc > docs/api.txt")
    return True


if __name__ == "__main__":
    sys.exit(main())
