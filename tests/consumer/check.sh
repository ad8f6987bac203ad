#!/usr/bin/env bash
# tests/consumer/check.sh PREFIX: builds and runs programs with the library that is installed at PREFIX, found by CMake
# and by pkg-config, and with the Python module if it is installed there.
set -euo pipefail
prefix=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() {
  echo "$1:"
  tee "$work/output" < <("${@:2}")
  grep -q '^allowed, 4 states$' "$work/output" && grep -q '^forbidden$' "$work/output"
}

cmake -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" > "$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$work/build" > "$work/log" || { cat "$work/log"; exit 1; }
expect "found by CMake" "$work/build/consumer"

folder=$(dirname "$(find "$prefix" -name ptxmc.pc)")
flags=$(PKG_CONFIG_PATH=$folder pkg-config --cflags --libs ptxmc)
# shellcheck disable=SC2086  # the flags are words
"${CXX:-c++}" "$here/consumer.cpp" $flags -o "$work/consumer"
expect "found by pkg-config" env LD_LIBRARY_PATH="$(dirname "$folder")" "$work/consumer"

module=$(find "$prefix" -path '*/ptxmc/__init__.py')
if [ -n "$module" ]; then
  expect "Python" env PYTHONPATH="$(dirname "$(dirname "$module")")" "${PYTHON:-python3}" -B "$here/consumer.py"
fi
echo "the installed library is usable"
