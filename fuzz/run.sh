#!/bin/sh
# Runs fuzz targets one after the other: run.sh FOLDER SECONDS [TARGET…], from the root of the checkout. FOLDER has
# the programs; beside them grow the corpora, and what a target fails on (crash-…, timeout-…, oom-…). Without
# names, all targets. The status says whether none failed.
set -u
folder=$1
seconds=$2
shift 2
status=0
for target in ${@:-ptx litmus litmus_condition nvlitmus cat launch condition eval}; do
  words=fuzz/$target.dict
  longest=4000
  case $target in
    ptx) seeds="tests/src/ptx/modules/*.ptx tests/kernels/*.ptx" longest=20000 ;;
    litmus) seeds="litmus/*/*.litmus" ;;
    litmus_condition) seeds="fuzz/seeds/litmus_condition/*" words=fuzz/litmus.dict longest=1000 ;;
    nvlitmus) seeds="fuzz/seeds/nvlitmus/*" words=fuzz/litmus.dict ;;
    cat) seeds="model/*.cat" longest=20000 ;;
    launch) seeds="tests/kernels/*.toml" ;;
    condition) seeds="fuzz/seeds/condition/*" longest=1000 ;;
    eval) seeds="fuzz/seeds/eval/*" longest=1000 ;;
    *) echo "no such target: $target" >&2; exit 2 ;;
  esac
  corpus=$folder/corpus/$target
  mkdir -p "$corpus"
  for seed in $seeds; do cp "$seed" "$corpus/seed-$(basename "$seed")"; done
  echo "fuzz_$target, $seconds s"
  "$folder/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=$longest \
    -dict="$words" -artifact_prefix="$folder/$target-" -print_final_stats=1 -verbosity=0 "$corpus" ||
    status=1
done
exit $status
