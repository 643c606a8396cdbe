#!/usr/bin/env python3
"""Counts the instructions of one round trip of echo.lua, layer by layer.

Instructions, not seconds: the same binary takes the same number whatever else the machine does. Two runs of different
length are played under callgrind (valgrind); what the longer one takes more is divided by its further round trips, so
that the start and the reports count for nothing.

    layers.py FOLDER [--repartee PROGRAM] [--users 20]

FOLDER holds the built echo_server.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROUND_TRIPS = (200, 1200)

# libdispatch waits for signals with a mask in read-only memory, which valgrind writes to.
SHIM = """#include <signal.h>
#include <unistd.h>
int sigsuspend(const sigset_t *mask) { (void)mask; for (;;) pause(); }
"""

# The first that fits counts; Swift's symbols name their module after their length.
LAYERS = [
    (
        "memory",
        r"^(malloc|free|calloc|realloc|je_)|__mem(cpy|move|set|cmp)|swift_slow(A|Dea)lloc",
    ),
    ("references and types of Swift", r"^_?swift_|^_Z.*5swift|^__swift_|WO[a-z]$"),
    ("Lua itself", r"^lua[A-Z_]|^luaL_"),
    ("bridge to Lua", r"^repartee_lua|^trampoline|^absent_member|^\$s10LuaRuntime"),
    ("script functions, expectations", r"^\$s8Scenario"),
    ("chat machines", r"^\$s(8Machines|14PlainWebSocket)"),
    ("JSON", r"^\$s4JSON"),
    ("WebSocket, drivers", r"^\$s9Transport"),
    ("load, metrics", r"^\$s(4Load|7Metrics)"),
    ("SwiftNIO", r"^\$s\d+_?NIO|NIO[A-Z]"),
    ("Swift library", r"^\$s"),
]


def built(folder, name, source, *options):
    place = folder / name
    place.with_suffix(".c").write_text(source)
    subprocess.run(["cc", *options, "-o", place, place.with_suffix(".c")], check=True)
    return place


def counts(path):
    """Returns the instructions of each function and of each library, without those of what it calls."""
    names, objects, costs = {}, {}, collections.Counter()
    function = library = None
    is_call = False
    for line in path.open():
        if line.startswith(("fn=", "ob=")):
            number, name = re.match(r"\((\d+)\)(?: (.*))?", line[3:].rstrip()).groups()
            known = names if line.startswith("fn=") else objects
            if name is not None:
                known[number] = name
            if line.startswith("fn="):
                function = known[number]
            else:
                library = known[number]
        elif line.startswith(("cfn=", "cob=")):
            number, name = re.match(r"\((\d+)\)(?: (.*))?", line[4:].rstrip()).groups()
            if name is not None:
                (names if line.startswith("cfn=") else objects)[number] = name
        elif line.startswith("calls="):
            is_call = True
        elif line[:1].isdigit() or line[:1] in "+-*":
            fields = line.split()
            if not is_call and function is not None and len(fields) > 1:
                costs[function, library] += int(fields[1])
            is_call = False
    return costs


def layer(function, library):
    name = pathlib.Path(library or "").name
    if "lua" in name and "repartee" not in name:
        return "Lua itself"
    if "jemalloc" in name:
        return "memory"
    for layer, pattern in LAYERS:
        if re.search(pattern, function):
            return layer
    return "Swift library" if "swift" in name else "C library and others"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--repartee", type=pathlib.Path, default=HERE.parent.parent / ".build" / "release" / "repartee")
    parser.add_argument("--users", type=int, default=20)
    options = parser.parse_args()
    folder = options.folder.resolve() / "layers"
    folder.mkdir(exist_ok=True)
    program = folder / "repartee"
    # What valgrind 3.19 cannot read of the debugging information is left out; the names of functions stay.
    subprocess.run(["strip", "-g", "-o", program, options.repartee.resolve()], check=True)
    echo = (HERE / "echo.lua").read_text()
    shim = built(folder, "shim.so", SHIM, "-shared", "-fPIC")
    server = subprocess.Popen([options.folder.resolve() / "echo_server"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        (folder / "repartee.lua").write_text(
            f'return {{ targets = {{ echo = {{ url = "ws://127.0.0.1:{port}/" }} }}, env = {{ "IDLE" }} }}\n'
        )
        found = []
        for count in ROUND_TRIPS:
            script, out = folder / f"echo-{count}.lua", folder / f"callgrind.{count}"
            script.write_text(echo.replace("while true do", f"while seq < {count} do"))
            subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "load", script, "--users",
                 str(options.users), "--iterations", str(options.users), "--cores", "1", "--target", "echo",
                 "--reports", folder / "reports", "--quiet"],
                env={**os.environ, "LD_PRELOAD": str(shim)}, cwd=folder, timeout=600,
                stdout=(folder / "output").open("w"), stderr=subprocess.STDOUT,
            )
            found.append(counts(out))
    finally:
        server.terminate()
        server.wait()
    trips = (ROUND_TRIPS[1] - ROUND_TRIPS[0]) * options.users
    layers = collections.Counter()
    for key, cost in found[1].items():
        layers[layer(*key)] += cost - found[0][key]
    for key, cost in found[0].items():
        if key not in found[1]:
            layers[layer(*key)] -= cost
    total = sum(layers.values()) / trips
    print(f"instructions of one round trip of a user of `websocket`, outside of the kernel: {total:,.0f}")
    for name, cost in layers.most_common():
        print(f"{cost / trips:>9,.0f}  {cost / trips / total:>4.0%}  {name}")


if __name__ == "__main__":
    sys.exit(main())
