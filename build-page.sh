#!/usr/bin/env bash
# Builds the page (the engine as WebAssembly, its JavaScript, the bundle in web/dist), then `taut` with the page in it.
# `./build-page.sh --page` builds the page alone. web/dist can be put on any web host as it is. With --quick what is not the engine
# itself is not optimised: built in half the time, for tests, and twice as large.
# Packages of the lock files are fetched; system packages are installed with --install alone.
set -euo pipefail
cd "$(dirname "$0")"

. tools/need.sh
need_rust +wasm32-unknown-unknown
need npm nodejs npm
target="${CARGO_TARGET_DIR:-target}"
profile=dist
case " $* " in *" --quick "*) profile=release ;; esac

say "the engine for the web"
cargo build --profile $profile --target wasm32-unknown-unknown -p taut-web
cargo run --profile tool -p taut-bindgen -- "$target/wasm32-unknown-unknown/$profile/taut_web.wasm" web/pkg
printf '%s bytes, %s compressed\n' "$(wc -c < web/pkg/taut_web_bg.wasm)" "$(gzip -9 -c web/pkg/taut_web_bg.wasm | wc -c)"

say "the page"
need_packages web
npm --prefix web run --silent check
npm --prefix web run --silent build

case " $* " in *" --page "*) exit ;; esac

say "taut with the page"
cargo build --release
echo "$target/release/taut view --open"
