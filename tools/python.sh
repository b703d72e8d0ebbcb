#!/usr/bin/env bash
# Tests of the Python package with what cargo builds in the test profile, without a wheel: `tools/python.sh [arguments of pytest]`.
# It makes a virtual environment in target/python, with numpy, pandas, pytest and readers of what Taut writes, and puts the library beside the sources in
# python/taut by links. `tools/python.sh --run ARGUMENTS` runs Python there instead.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
place="$target/python"

# The same crates with the same features as the tests of the workspace, so that nothing but the bindings is compiled for this.
cargo build --profile test --quiet --workspace --exclude taut-bench --exclude taut-bindgen --features taut/serde,taut-scenes/schema

if [ ! -x "$place/venv/bin/pytest" ]; then
    python3 -m venv "$place/venv"
    "$place/venv/bin/pip" install --quiet --disable-pip-version-check numpy pandas pytest pyarrow meshio distributed
fi
mkdir -p "$place/taut"
for source in "$PWD"/python/taut/*; do
    ln -sfn "$source" "$place/taut/$(basename "$source")"
done
ln -sfn "$target/debug/libtaut_py.so" "$place/taut/_taut.abi3.so"

export PYTHONPATH="$place" PYTHONDONTWRITEBYTECODE=1
if [ "${1:-}" = --run ]; then
    shift
    exec "$place/venv/bin/python" "$@"
fi
exec "$place/venv/bin/pytest" -q -p no:cacheprovider "$@"
