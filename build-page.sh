#!/usr/bin/env bash
# Builds the page (the engine as WebAssembly, its JavaScript, the bundle in web/dist), then `taut` with the page in it.
# `./build-page.sh --page` builds the page alone. Installs what it needs. web/dist can be put on any web host as it is.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$1"; }

if ! command -v cargo >/dev/null 2>&1; then
    say "installing Rust"
    apt-get update -qq && apt-get install -y -qq rustup gcc
    rustup default stable
fi
if ! command -v npm >/dev/null 2>&1; then
    say "installing Node.js"
    apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs npm
fi
if command -v rustup >/dev/null 2>&1; then
    rustup target list --installed | grep -q wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
fi
target="${CARGO_TARGET_DIR:-target}"

say "the engine for the web"
cargo build --release --quiet --target wasm32-unknown-unknown -p taut-web
cargo run --quiet -p taut-bindgen -- "$target/wasm32-unknown-unknown/release/taut_web.wasm" web/pkg
printf '%s bytes, %s compressed\n' "$(wc -c < web/pkg/taut_web_bg.wasm)" "$(gzip -9 -c web/pkg/taut_web_bg.wasm | wc -c)"

say "the page"
(
    cd web
    # The packages of the lock file, unless they are there already.
    if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
        npm ci --no-audit --no-fund --loglevel=error
    fi
    npm run --silent check
    npm run --silent build
)

if [ "${1:-}" != "--page" ]; then
    say "taut with the page"
    cargo build --release --quiet
    echo "$target/release/taut view --open"
fi
