#!/usr/bin/env bash
# A load test as a Slurm job: each task plays one shard, and all shards together are exactly one big run.
#
#   sbatch --ntasks=4 scripts/slurm-load.sh load.lua --seed 42          four tasks that Slurm starts at once (better)
#   sbatch --array=0-3 scripts/slurm-load.sh load.lua --seed 42         four jobs that start when there is room
#   repartee report repartee-load-JOB/shard-*/load-*.json               merges them; refuses a missing or double shard
#
# Shards meet in a folder that all nodes see, and start together once all are there. REPARTEE is the program, WHERE the
# common folder for the results.
#SBATCH --job-name=repartee-load
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --output=repartee-load-%j.log
set -euo pipefail

[ $# -ge 1 ] || {
    echo "usage: sbatch --ntasks=4 scripts/slurm-load.sh FILE [options of repartee load]" >&2
    exit 2
}
[ -n "${SLURM_JOB_ID:-}" ] || {
    echo "this runs as a Slurm job: sbatch --ntasks=4 scripts/slurm-load.sh $*" >&2
    exit 2
}

# The same in all tasks of an array and in no other run.
export REPARTEE_RUN=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}
program=${REPARTEE:-repartee}
results=${WHERE:-$SLURM_SUBMIT_DIR}/repartee-load-$REPARTEE_RUN
mkdir -p "$results/rendezvous"

# srun starts one process per task and tells each its number; in an array each job starts one, or several of them.
srun --kill-on-bad-exit=0 bash -c '
    results=$1 program=$2
    shift 2
    task=${SLURM_ARRAY_TASK_ID:-0}-$SLURM_PROCID
    exec "$program" load "$@" --shard auto --run "$REPARTEE_RUN" \
        --rendezvous "$results/rendezvous" --reports "$results/shard-$task"
' repartee-load "$results" "$program" "$@"
