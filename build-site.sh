#!/usr/bin/env bash
# Builds the site: guide, documentation, the library's reference and the live page, as static files in target/site.
# `./build-site.sh --text` builds the documentation alone. Needs cargo and npm; `./build-page.sh` says how they come.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$1"; }
target="${CARGO_TARGET_DIR:-target}"
parts=()

if [ "${1:-}" != "--text" ]; then
    ./build-page.sh --page
    say "the library's reference"
    cargo doc --workspace --exclude taut-bench --exclude taut-bindgen --no-deps --quiet --features taut/serde
    parts=(web/dist "$target/doc")
fi

say "the site"
if [ ! -e site/node_modules/.package-lock.json ] || [ site/package-lock.json -nt site/node_modules/.package-lock.json ]; then
    npm --prefix site ci --no-audit --no-fund --loglevel=error
fi
node site/build.mjs "$target/site" ${parts[@]+"${parts[@]}"}
echo "python3 -m http.server --directory $target/site"
