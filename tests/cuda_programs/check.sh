#!/usr/bin/env bash
# check.sh PTXMC [NVCC]: compiles every program here for its architectures, reads the PTX, prints it, reads that.
set -eu
ptxmc=$1
nvcc=${2:-nvcc}
folder=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
modules=0
for program in "$folder"/*.cu; do
  for architecture in $(sed -n 's|^// architectures: ||p' "$program"); do
    for flags in "" "-lineinfo" "-G"; do
      name=$(basename "$program" .cu)-$architecture$flags
      "$nvcc" -std=c++17 -diag-suppress 20054 -ptx -arch="$architecture" $flags -o "$work/$name.ptx" "$program"
      "$ptxmc" parse --print "$work/$name.ptx" > "$work/$name.once.ptx" 2> "$work/notes" || {
        echo "$name: refused"; grep -m5 -A2 error: "$work/notes"; exit 1; }
      "$ptxmc" parse --print "$work/$name.once.ptx" > "$work/$name.twice.ptx" 2> /dev/null
      cmp "$work/$name.once.ptx" "$work/$name.twice.ptx"
      modules=$((modules + 1))
    done
  done
done
echo "$modules modules read, printed and read again"
