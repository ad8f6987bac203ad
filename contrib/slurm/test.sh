#!/usr/bin/env bash
# A campaign on a cluster of one node: munged, slurmctld and slurmd of Debian's packages run from a temporary folder,
# without the services and the configuration of the machine. Four shards are decided, one of which is killed in the
# middle and started again; the merged answers must be those of one process.
#
#   contrib/slurm/test.sh PTXMC [TESTS]
#
# Needs root, as slurmd does: it starts jobs for users.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PTXMC=$(realpath "${1:-build/ptxmc}")
# Those of PTX, since C++ has models of its own; without those that have more states than are listed.
tests=${2:-$(find litmus -mindepth 1 -maxdepth 1 -type d ! -name cpp ! -name unspecified-values | sort)}
models="--model ptx-8.7 --model ptx-7.5"
root=$(mktemp -d)
host=$(hostname -s)
export SLURM_CONF=$root/slurm.conf
started=()

finish() {
  for pid in "${started[@]}"; do kill "$pid" 2> /dev/null || true; done
  wait
  rm -rf "$root"
}
trap finish EXIT

fail() {
  echo "slurm-test: $*" >&2
  tail -n 15 "$root"/*.log >&2 || true
  exit 1
}

await() { # SECONDS COMMAND…: until it succeeds
  local until=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $until ] || fail "no success in time: $*"
    sleep 0.05
  done
}

start() { # NAME COMMAND…
  "${@:2}" > "$root/$1.out" 2>&1 &
  started+=($!)
}

cat > "$SLURM_CONF" << CONF
ClusterName=ptxmc
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$root/munge.socket
CredType=cred/munge
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/slurmd.pid
SlurmctldLogFile=$root/slurmctld.log
SlurmdLogFile=$root/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
mkdir "$root/state" "$root/spool" "$root/results"
chmod 755 "$root"
head -c 1024 /dev/urandom > "$root/munge.key"
chmod 400 "$root/munge.key"
start munged munged --foreground --force --key-file="$root/munge.key" --socket="$root/munge.socket" \
  --pid-file="$root/munge.pid" --seed-file="$root/munge.seed" --log-file="$root/munge.log" --num-threads=2
await 20 munge --no-input --socket="$root/munge.socket"
start slurmctld slurmctld -D
start slurmd slurmd -D -N "$host"
await 60 sh -c "sinfo --noheader --format=%t | grep -q idle"
echo "a cluster of one node is up"

submit() { sbatch --parsable --output="$root/task-%a.out" "$@"; }
is_over() { test -z "$(squeue --noheader --job "$1" 2> /dev/null)"; }
lines() { wc -l < "$1" 2> /dev/null || echo 0; }
campaign="contrib/slurm/ptxmc-campaign.sbatch $root/results litmus $models "$(echo $tests)

job=$(submit --array=1-4 $campaign)
await 60 sh -c "test \$(wc -l < $root/results/2.jsonl) -ge 4"
scancel --signal=KILL --full "${job}_2"
await 600 is_over "$job"
if "$PTXMC" merge "$root"/results/*.jsonl > "$root/part.txt" 2>&1; then fail "shard 2 ended before it was killed"; fi
grep "2.jsonl: .* inputs have results" "$root/part.txt" | sed "s|$root/||" || fail "the killed shard is complete"
decided=$(lines "$root/results/2.jsonl")

again=$(SHARDS=4 submit --array=2 $campaign)
await 600 is_over "$again"
echo "shard 2 was started again: $decided lines, then $(lines "$root/results/2.jsonl")"

# The order of inputs is that of their names; times differ.
normal() { sed -E 's/"time_s":[-0-9.e]+,?//' | LC_ALL=C sort; }
"$PTXMC" merge --json "$root"/results/*.jsonl | normal > "$root/merged.json" || true
"$PTXMC" litmus --json $models $tests | normal > "$root/whole.json" || true
diff "$root/merged.json" "$root/whole.json" >&2 || fail "the merged answers are not those of one process"
test -z "$(cut -d'"' -f4 "$root"/results/2.jsonl | sort | uniq -d | grep litmus$)" || fail "a test was decided twice"
"$PTXMC" merge "$root"/results/*.jsonl | tail -n 2
echo "the merged answers are those of one process: $(wc -l < "$root/whole.json") answers"
