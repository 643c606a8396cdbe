#!/usr/bin/env python3
"""Lets ever more BoldChat visitors hold conversations in one process and prints what a visitor and a message cost.

    visitors.py REPARTEE [--visitors 100,1000,10000]

Both ends are in that process, on one thread, over the memory network and in real time. CPU time is counted by the kernel,
from start to exit; what it takes to start and to write the reports is measured with one visitor and taken off.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent / "visitor.lua"


def play(repartee, visitors, folder):
    """Returns the CPU seconds, the highest memory in bytes, the deliveries, what was lost, and the verdict."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        [repartee, "load", SCRIPT, "--quiet", "--seed", "1", "--reports", folder],
        env={**os.environ, "VISITORS": str(visitors)}, capture_output=True, text=True, check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = pathlib.Path(folder) / "load.json"
    if not report.exists():
        sys.exit(ended.stdout + ended.stderr)
    shard = json.loads(report.read_text())["shards"][0]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("deliveries", "generator"))]
    delivered = int(next(line for line in lines if line.startswith("deliveries")).split()[1].replace(",", ""))
    return cpu, shard["health"]["memory_peak"], delivered, ended.returncode, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repartee", type=pathlib.Path)
    parser.add_argument("--visitors", default="100,1000,10000")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base_cpu, base_memory, *_ = play(options.repartee, 1, folder)
        print(f"{'visitors':>8} {'deliveries':>11} {'CPU':>8} {'per delivery':>13} {'memory each':>12}  outcome")
        for visitors in [int(number) for number in options.visitors.split(",")]:
            cpu, memory, delivered, status, lines = play(options.repartee, visitors, folder)
            each = (memory - base_memory) / visitors / 1024
            cost = (cpu - base_cpu) / max(1, delivered) * 1e6
            print(
                f"{visitors:>8,} {delivered:>11,} {cpu:>6.1f} s {cost:>10.0f} µs {each:>8.1f} KiB  exit {status}; "
                + "; ".join(" ".join(line.split()) for line in lines),
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
