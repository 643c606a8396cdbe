#!/usr/bin/env python3
"""Lets ever more BoldChat visitors hold conversations in one process and prints what a visitor and a message cost.

    visitors.py REPARTEE [--visitors 100,1000,10000]

Both ends are in that process, on one thread, over the memory network. What a visitor and a delivery cost is measured in
virtual time, where nothing is spent on waiting; the most visitors then play in real time, too, where the generator has to
be fit. CPU time is counted by the kernel, from start to exit; what it takes to start and to write the reports is measured
with one visitor and taken off.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent / "visitor.lua"


def play(repartee, visitors, folder, clock):
    """Returns the CPU seconds, the highest memory in KiB, the deliveries, the exit code and what was said of them."""
    report = pathlib.Path(folder) / "said"
    with open(report, "w") as said:
        process = subprocess.Popen(
            [repartee, "load", SCRIPT, "--quiet", "--seed", "1", "--clock", clock, "--reports", folder],
            env={**os.environ, "VISITORS": str(visitors)}, stdout=said, stderr=said,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = report.read_text()
    lines = [line for line in text.splitlines() if line.startswith(("deliveries", "generator"))]
    if not lines:
        sys.exit(text)
    delivered = int(lines[0].split()[1].replace(",", ""))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, delivered, process.returncode, lines


def average(repartee, visitors, folder, repeats):
    """Returns the CPU seconds, the highest memory in KiB and the deliveries of one run of many in virtual time."""
    runs = [play(repartee, visitors, folder, "virtual") for _ in range(repeats)]
    wrong = [run for run in runs if run[3] != 0]
    if wrong:
        sys.exit("\n".join(wrong[0][4]))
    return sum(run[0] for run in runs) / repeats, max(run[1] for run in runs), runs[0][2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repartee", type=pathlib.Path)
    parser.add_argument("--visitors", default="100,1000,10000")
    options = parser.parse_args()
    numbers = [int(number) for number in options.visitors.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        base_cpu, base_memory, _ = average(options.repartee, 1, folder, 20)
        print(f"{'visitors':>8} {'deliveries':>11} {'CPU':>8} {'a visitor':>10} {'a delivery':>11} {'memory each':>12}")
        for visitors in numbers:
            # Few visitors are soon done; many runs of them tell what one costs.
            repeats = max(1, min(20, 5000 // visitors))
            cpu, memory, delivered = average(options.repartee, visitors, folder, repeats)
            used, each = cpu - base_cpu, (memory - base_memory) / visitors
            print(
                f"{visitors:>8,} {delivered:>11,} {cpu:>6.2f} s {used / visitors * 1e6:>7.0f} µs "
                f"{used / max(1, delivered) * 1e6:>8.0f} µs {each:>8.1f} KiB",
                flush=True,
            )
        cpu, _, _, status, lines = play(options.repartee, max(numbers), folder, "real")
        print(f"{max(numbers):,} visitors in real time: {cpu:.1f} s of CPU, exit {status}")
        for line in lines:
            print("  " + " ".join(line.split()))


if __name__ == "__main__":
    sys.exit(main())
