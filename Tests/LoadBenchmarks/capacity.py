#!/usr/bin/env python3
"""Lets `repartee load --find` search the capacity of servers with a limit that is planted in them, again and again.

    capacity.py REPARTEE [--runs 10] [--limit 37] [--only queue,lock,leak,generator]

Prints of each server how often what was found is within a tenth of the limit, and what else was found. `generator` is a
server without a limit, asked by a generator that others keep from its only core: what breaks then is never the server's.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CORES = sorted(os.sched_getaffinity(0))
HOLDS = "p99(answer) < 100ms and rate(failures) == 0"


def on(core):
    """Returns what makes a process run on one core only; nothing where there is one core."""
    return (lambda: os.sched_setaffinity(0, {core})) if len(CORES) > 1 else None


def search(repartee, kind, limit, first, last):
    """Returns what a search found, as capacity.json has it; nil if it found nothing."""
    server = subprocess.Popen(
        [sys.executable, HERE / "planted.py", kind, str(limit)], stdout=subprocess.PIPE, text=True,
        preexec_fn=on(CORES[-1]))
    try:
        port = int(server.stdout.readline())
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [repartee, "load", HERE / "planted.lua", "--target", f"ws://127.0.0.1:{port}/", "--find", HOLDS,
                 "--duration", "2s", "--find-from", str(first), "--find-to", str(last), "--cores", "1", "--reports", folder],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=on(CORES[0]), check=False)
            result = pathlib.Path(folder) / "capacity.json"
            return json.loads(result.read_text()) if result.exists() else None
    finally:
        server.terminate()
        server.wait()


def told(found):
    if found is None:
        return "nothing"
    return f"{found['capacity']} ({found['limited_by']}, {len(found['trials'])} trials)"


def planted(repartee, kind, limit, runs):
    """Searches a server with a limit, and prints how often it was found."""
    results = [search(repartee, kind, limit, limit // 2, 8 * limit) for _ in range(runs)]
    right = [
        found for found in results
        if found and found["limited_by"] == "server" and abs(found["capacity"] - limit) <= limit / 10
    ]
    print(f"{kind}: the limit of {limit} users is found within a tenth in {len(right)} of {runs} runs (at least "
          f"{runs * 9 // 10}): {', '.join(told(found) for found in results)}", flush=True)


def kept_from_work(repartee, runs):
    """Searches a server without a limit while others want the generator's core, and prints who was blamed."""
    others = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=on(CORES[0])) for _ in range(3)
    ]
    try:
        results = [search(repartee, "none", 1, 50, 800) for _ in range(runs)]
    finally:
        for other in others:
            other.kill()
            other.wait()
    blamed = sum(1 for found in results if found and found["limited_by"] == "server")
    print(f"generator: its own limit is told as the server's in {blamed} of {runs} runs (never): "
          f"{', '.join(told(found) for found in results)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repartee", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--limit", type=int, default=37)
    parser.add_argument("--only", default="queue,lock,leak,generator")
    options = parser.parse_args()
    for kind in options.only.split(","):
        if kind == "generator":
            kept_from_work(options.repartee, options.runs)
        else:
            planted(options.repartee, kind, options.limit, options.runs)
    print("load average of the machine: " + ", ".join(f"{load:.1f}" for load in os.getloadavg()))


if __name__ == "__main__":
    sys.exit(main())
