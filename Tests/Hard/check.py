"""Tries to break the program, and counts what it finds. `scripts/check-hard` builds what is needed and runs it."""

import argparse
import json
import os
import re
import subprocess
import sys

import doors
import kills
import peers
import soak
from tool import Folder, Table, Tool, Watch

FAULTS = "cut,truncate,half_close,refuse,one_byte,duplicate,http_503,malformed_json"


def faults(tool, table, watch, root):
    """The matrix of faults over some scenarios: each fault at each point has an outcome, and none is a bad one."""
    took = watch()
    with Folder() as folder:
        ended = tool.run(
            ["test", "Scenarios/websocket", "Scenarios/http", "--faults", FAULTS, "--seed", "1", "--reports",
             folder.path + "/r"], root, 600)
        matrix = json.loads(folder.read("r/faults.json") or b"{}")
    scenarios = matrix.get("scenarios", [])
    outcomes = {}
    for scenario in scenarios:
        for play in scenario.get("plays", []):
            outcomes[play.get("outcome", "none")] = outcomes.get(play.get("outcome", "none"), 0) + 1
    points = sum(len(scenario.get("points", [])) for scenario in scenarios)
    plays = sum(outcomes.values())
    bad = plays - sum(outcomes.get(name, 0) for name in ("same_end", "told_error", "explained"))
    if ended.code not in (0, 1) or not plays:
        bad += 1
        table.find(f"faults: exit {ended.code}\n{ended.output[-800:]}")
    elif bad:
        table.find(f"faults: {outcomes}\n{ended.output[-800:]}")
    told = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(outcomes.items()))
    table.add("faults at points of scenarios", plays, bad, "red cells", f"{points} points; {told}", took=took.seconds)


def tests(root, name, variables=None):
    """Runs tests that have been built; the exit code and what they print."""
    run = subprocess.run(
        ["swift", "test", "--skip-build", "-c", "release", "--filter", name], cwd=root, text=True, errors="replace",
        env={**os.environ, **(variables or {})}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return run.returncode, run.stdout


def secrets(table, watch, root):
    took = watch()
    code, output = tests(root, "PlantedSecretTests")
    lines = re.findall(r"secrets: (\d+) values in (\d+) places, (\d+) outputs of (\d+) bytes searched, found (\d+)", output)
    places = sum(int(line[1]) for line in lines)
    found = sum(int(line[4]) for line in lines)
    bad = found if code == 0 and lines else max(found, 1)
    if bad:
        table.find("secrets:\n" + output[-1500:])
    note = f"{sum(int(line[2]) for line in lines)} outputs of {sum(int(line[3]) for line in lines) >> 20} MB searched"
    table.add("places with planted secrets", places, bad, "found", note, took=took.seconds)


def traffic(table, watch, root, rounds):
    took = watch()
    code, output = tests(root, "MutatedTrafficTests", {"REPARTEE_MUTATION_ROUNDS": str(rounds)})
    lines = re.findall(r"mutated traffic: round \d+, (\d+) plays, (\d+) changes", output)
    plays = sum(int(line[0]) for line in lines)
    bad = 0 if code == 0 and len(lines) == rounds else max(1, output.count("has no end") + output.count("takes too long"))
    if bad:
        table.find("changed traffic:\n" + output[-1500:])
    table.add(
        "plays over changed traffic", plays, bad, "traps or hangs",
        f"{sum(int(line[1]) for line in lines)} changes", took=took.seconds)


def fuzz(table, watch, root, seconds):
    """libFuzzer where it has been built, by `scripts/fuzz`; otherwise the inputs that were kept and their neighbors."""
    took = watch()
    if os.access(os.path.join(root, ".build/fuzz/debug/fuzz-decoders"), os.X_OK):
        run = subprocess.run(
            [os.path.join(root, "scripts/fuzz"), str(seconds)], cwd=root, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        lines = re.findall(
            r"^(\w+): (\d+) executions, .*; (\d+) in (\d+) s so far$", run.stdout, re.MULTILINE)
        bad = 0 if run.returncode == 0 and lines else 1
        executions = sum(int(line[1]) for line in lines)
        note = f"libFuzzer, {len(lines)} decoders, {seconds} s each; so far {sum(int(line[2]) for line in lines):,}"
        note += f", at least {min((int(line[3]) for line in lines), default=0)} s each"
        output = run.stdout
    else:
        code, output = tests(root, "CorpusTests")
        executions = sum(int(count) for count in re.findall(r"corpus: \w+, (\d+) inputs", output))
        bad = 0 if code == 0 and executions else 1
        note = "kept inputs and their neighbors; scripts/fuzz builds libFuzzer"
    if bad:
        table.find("fuzzing:\n" + output[-1500:])
    table.add("inputs of decoders", executions, bad, "crashes", note, took=took.seconds)


SECTIONS = ["doors", "peers", "secrets", "kills", "faults", "traffic", "fuzz", "soak"]


def seconds(text):
    """A span of time, such as 90, 90s, 60m or 1h, in seconds."""
    found = re.fullmatch(r"(\d+)([smh]?)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text} is no time; say it as 90s, 60m or 1h")
    return int(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the program")
    parser.add_argument("sections", nargs="*", help="what is tried; everything unless given: " + " ".join(SECTIONS))
    parser.add_argument("--kills", type=int, default=32, help="how many runs are killed")
    parser.add_argument("--rounds", type=int, default=16, help="how many sixteenths of the scenarios have their traffic changed")
    parser.add_argument("--fuzz-seconds", type=int, default=2, help="how long libFuzzer has for each decoder")
    parser.add_argument(
        "--soak", type=seconds, default=60, metavar="TIME", help="how long visitors talk over sockets, such as 60m")
    parser.add_argument("--soak-samples", metavar="FILE", help="where the memory during that goes, as CSV")
    arguments = parser.parse_args()
    for section in arguments.sections:
        if section not in SECTIONS:
            parser.error(f"there is no section {section}; there are {' '.join(SECTIONS)}")
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    tool, table, whole = Tool(arguments.program), Table(), Watch()
    parts = {
        "doors": lambda: doors.check(tool, table, Watch),
        "peers": lambda: peers.check(tool, table, Watch),
        "secrets": lambda: secrets(table, Watch, root),
        "kills": lambda: kills.check(tool, table, Watch, arguments.kills),
        "faults": lambda: faults(tool, table, Watch, root),
        "traffic": lambda: traffic(table, Watch, root, arguments.rounds),
        "fuzz": lambda: fuzz(table, Watch, root, arguments.fuzz_seconds),
        "soak": lambda: soak.check(tool, table, Watch, arguments.soak, arguments.soak_samples),
    }
    for section in arguments.sections or SECTIONS:
        parts[section]()
    for finding in table.findings:
        print(f"--- {finding}")
    print(table)
    verdict = "nothing is open" if table.is_good else "something is open"
    print(f"{verdict}, after {whole.seconds:.0f} s with {os.path.relpath(tool.program, root)}")
    return 0 if table.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
