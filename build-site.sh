#!/usr/bin/env bash
# Builds the site: guide, documentation, the library's reference and the live page, as static files in target/site.
# `./build-site.sh --text` builds the documentation alone.
# Packages of the lock files are fetched; system packages are installed with --install alone.
set -euo pipefail
cd "$(dirname "$0")"

. tools/need.sh
need_rust
need npm nodejs npm
target="${CARGO_TARGET_DIR:-target}"
parts=()

text=0
case " $* " in *" --text "*) text=1 ;; esac
if [ $text = 0 ]; then
    ./build-page.sh --page
    say "the library's reference"
    cargo doc --workspace --exclude taut-bench --exclude taut-bindgen --no-deps --features taut/serde
    parts=(web/dist "$target/doc")
fi

say "the site"
need_packages site
node site/build.mjs "$target/site" ${parts[@]+"${parts[@]}"}
echo "python3 -m http.server --directory $target/site"
