#!/usr/bin/env python3
"""Lets ever more BoldChat visitors hold conversations in one process and prints what a visitor and a message cost.

    visitors.py REPARTEE [--visitors 100,1000,10000] [--cores 2] [--wakeups PROGRAM] [--real-only]

Both ends are in that process, over the memory network. What a visitor and a delivery cost is measured in virtual time, on
one thread, where nothing is spent on waiting; the most visitors then play in real time, too, on several cores, where the
generator has to be fit, and half of them once more, beside a program that only sleeps and tells how late the machine
wakes it. CPU time is counted by the kernel, from start to exit; what it takes to start and to write the reports is
measured with one visitor and taken off.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent / "visitor.lua"


# How long a run takes in real time: the phases of visitor.lua, in seconds.
LENGTH = 100


def play(repartee, visitors, folder, clock, cores=1):
    """Returns the CPU seconds, the highest memory in KiB, the deliveries, the exit code and what was said of them."""
    report = pathlib.Path(folder) / "said"
    with open(report, "w") as said:
        process = subprocess.Popen(
            [repartee, "load", SCRIPT, "--quiet", "--seed", "1", "--clock", clock, "--reports", folder]
            + (["--cores", str(cores)] if clock == "real" else []),
            env={**os.environ, "VISITORS": str(visitors)}, stdout=said, stderr=said,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = report.read_text()
    lines = [line for line in text.splitlines() if line.startswith(("deliveries", "generator", "timer_lateness"))]
    counted = [line for line in lines if line.startswith("deliveries")]
    if not counted:
        sys.exit(text)
    delivered = int(counted[0].split()[1].replace(",", ""))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, delivered, process.returncode, lines


def average(repartee, visitors, folder, repeats):
    """Returns the CPU seconds, the highest memory in KiB and the deliveries of one run of many in virtual time."""
    runs = [play(repartee, visitors, folder, "virtual") for _ in range(repeats)]
    wrong = [run for run in runs if run[3] != 0]
    if wrong:
        sys.exit("\n".join(wrong[0][4]))
    return sum(run[0] for run in runs) / repeats, max(run[1] for run in runs), runs[0][2]


def print_virtual(repartee, numbers, folder):
    """Prints what a visitor and a delivery cost in virtual time."""
    base_cpu, base_memory, _ = average(repartee, 1, folder, 20)
    print(f"{'visitors':>8} {'deliveries':>11} {'CPU':>8} {'a visitor':>10} {'a delivery':>11} {'memory each':>12}")
    for visitors in numbers:
        # Few visitors are soon done; many runs of them tell what one costs.
        repeats = max(1, min(20, 5000 // visitors))
        cpu, memory, delivered = average(repartee, visitors, folder, repeats)
        used, each = cpu - base_cpu, (memory - base_memory) / visitors
        print(
            f"{visitors:>8,} {delivered:>11,} {cpu:>6.2f} s {used / visitors * 1e6:>7.0f} µs "
            f"{used / max(1, delivered) * 1e6:>8.0f} µs {each:>8.1f} KiB",
            flush=True,
        )


def print_real(repartee, visitors, folder, cores, wakeups):
    """Plays visitors in real time and prints what is said of them, and how late the machine was meanwhile."""
    machine = wakeups and subprocess.Popen([wakeups, str(LENGTH)], stdout=subprocess.PIPE, text=True)
    cpu, _, _, status, lines = play(repartee, visitors, folder, "real", cores)
    print(f"{visitors:,} visitors in real time on {cores} cores: {cpu:.1f} s of CPU, exit {status}", flush=True)
    for line in lines:
        words = line.split()
        if words[0] == "timer_lateness":
            print(f"  timers at most {words[5]} late (p99)", end="")
            late = machine and int(machine.communicate(timeout=LENGTH)[0].split()[2])
            print(f", the machine {late / 1000:.2f}ms" if machine else "")
        else:
            print("  " + " ".join(words))
    if machine and machine.poll() is None:
        machine.kill()
        machine.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repartee", type=pathlib.Path)
    parser.add_argument("--visitors", default="100,1000,10000")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--wakeups", type=pathlib.Path)
    parser.add_argument("--real-only", action="store_true", help="leave out what is measured in virtual time")
    options = parser.parse_args()
    numbers = [int(number) for number in options.visitors.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        if not options.real_only:
            print_virtual(options.repartee, numbers, folder)
        for visitors in (max(numbers), max(numbers) // 2):
            print_real(options.repartee, visitors, folder, options.cores, options.wakeups)
    print("load average of the machine: " + ", ".join(f"{load:.1f}" for load in os.getloadavg()))


if __name__ == "__main__":
    sys.exit(main())
