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
# The example of the C API is compiled as C and as C++.
need c++ g++
need "${CHROMIUM:-chromium}" chromium
# The page is tested in Firefox too where there is one.
command -v firefox >/dev/null 2>&1 || want firefox-esr firefox-esr libgl1-mesa-dri xvfb

# Nothing is built twice here: what an incremental build would remember is 10 GB on the disk.
export CARGO_INCREMENTAL=0

# Every stage says how long after the start it begins.
say() { printf '\n== %s (at %d:%02d)\n' "$1" $((SECONDS / 60)) $((SECONDS % 60)); }

# Some stages wait for one thread, for a browser or for a linker: they run beside others, and what they print is shown when they are
# joined.
logs=$(mktemp -d)
declare -A beside
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$logs"' EXIT
# beside NAME COMMAND...
beside() {
    local name="$1"
    shift
    "$@" > "$logs/$name" 2>&1 &
    beside[$name]=$!
    echo "beside the next stages: $name"
}
join() {
    say "$1"
    local code=0
    wait "${beside[$1]}" || code=$?
    cat "$logs/$1"
    return $code
}

say "format"
cargo fmt --all --check

# The wasm has a target folder and a lock of its own. What is compiled for the page alone is not optimised here: see Cargo.toml.
beside page ./build-page.sh --page --quick

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
join page

say "the site"
./build-site.sh --text

say "format of the page"
npm --prefix web run --silent formatted

say "build of the tests"
cargo test --no-run --workspace --exclude taut-bench --exclude taut-bindgen --features taut/serde 2>&1 | grep -v Executable

# Both with the program that the tests have just built, which has the page in it.
taut="$(realpath "${CARGO_TARGET_DIR:-target}/debug/taut")"
TAUT="$taut" beside browser npm --prefix web test --silent

say "tests"
# Every program with its time, and every test that does not pass or takes more than a minute; those that pass are only counted.
cargo test --workspace --exclude taut-bench --exclude taut-bindgen --features taut/serde 2>&1 |
    grep --line-buffered -vE '^$|^running [0-9]+ tests?$|^test .* \.\.\. (ok|ignored.*)$'

say "the Python package"
TAUT="$(realpath "${CARGO_TARGET_DIR:-target}/debug/taut")" tools/python.sh

say "random worlds"
# Worlds with everything on. Those on the list have findings today; any other fails.
"$taut" fuzz --seeds 0..200 --no-shrink --quiet --known 37,80,183,193,198

join browser

# The crate that builds other engines costs minutes, a C compiler, CMake and libclang: on request.
if [ "${PEERS:-0}" = 1 ]; then
    say "the comparison with other engines: lints and tests"
    cargo clippy -p taut-bench -p taut-cli --features taut-cli/peers --all-targets --quiet -- -D warnings
    cargo test -p taut-bench --quiet
fi

say "all checks passed"
