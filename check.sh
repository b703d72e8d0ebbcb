#!/usr/bin/env bash
# Everything that must hold before a change goes in: format, lints, documentation, tests, live links, the page in a real browser.
# Run it from anywhere. `./check.sh --install` installs the system packages it needs (Rust, Node.js, Chromium); without it they are only named.
set -euo pipefail
cd "$(dirname "$0")"

. tools/need.sh
need_rust rustfmt clippy +wasm32-unknown-unknown
need python3 python3
python3 -c 'import ensurepip' 2>/dev/null || need ensurepip python3-venv
need npm nodejs npm
need "${CHROMIUM:-chromium}" chromium
# The page is tested in Firefox too where there is one.
command -v firefox >/dev/null 2>&1 || want firefox-esr firefox-esr libgl1-mesa-dri xvfb

# Nothing is built twice here: what an incremental build would remember is 10 GB on the disk.
export CARGO_INCREMENTAL=0

# Every stage says how long after the start it begins.
say() { printf '\n== %s (at %d:%02d)\n' "$1" $((SECONDS / 60)) $((SECONDS % 60)); }

say "format"
cargo fmt --all --check

# The engine has the same features in lints, documentation and tests: what it depends on is checked once for the first two.
say "lints"
cargo clippy --workspace --exclude taut-bench --exclude taut-bindgen --all-targets --features taut/serde -- -D warnings

say "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --exclude taut-bench --exclude taut-bindgen --no-deps --features taut/serde

say "the public API against its list"
tools/api.py "${CARGO_TARGET_DIR:-target}/doc" --check docs/api.txt
tools/api.py "${CARGO_TARGET_DIR:-target}/doc" --examples

say "the engine alone, without its features"
cargo check -p taut --no-default-features

say "links and names in the documentation"
tools/docs.py

# Before the tests: they build `taut` with the page in it.
./build-page.sh --page

say "the site"
./build-site.sh --text

say "format of the page"
npm --prefix web run --silent formatted

say "tests"
# Every program with its time, and every test that does not pass or takes more than a minute; those that pass are only counted.
cargo test --workspace --exclude taut-bench --exclude taut-bindgen --features taut/serde 2>&1 |
    grep --line-buffered -vE '^$|^running [0-9]+ tests?$|^test .* \.\.\. (ok|ignored.*)$'

say "the Python package"
TAUT="$(realpath "${CARGO_TARGET_DIR:-target}/debug/taut")" tools/python.sh

say "random worlds"
# With the program that the tests have just built, optimised: a build of its own costs minutes.
# Worlds with everything on. Those on the list have findings today; any other fails.
"${CARGO_TARGET_DIR:-target}/debug/taut" fuzz --seeds 0..200 --no-shrink --quiet --known 37,80,183,193,198

say "the page in a browser"
# The program that the tests have built has the page in it.
TAUT="$(realpath "${CARGO_TARGET_DIR:-target}/debug/taut")" npm --prefix web test --silent

# The crate that builds other engines costs minutes, a C compiler, CMake and libclang: on request.
if [ "${PEERS:-0}" = 1 ]; then
    say "the comparison with other engines: lints and tests"
    cargo clippy -p taut-bench -p taut-cli --features taut-cli/peers --all-targets --quiet -- -D warnings
    cargo test -p taut-bench --quiet
fi

say "all checks passed"
