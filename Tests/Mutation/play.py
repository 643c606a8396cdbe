"""Plays the scenarios of chat systems against mutants of their rules; see scripts/mutate."""
import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import mutants

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/mutation"
COPY = WORK / "tree"
BUILD = WORK / "build"
PROGRAM = BUILD / "debug/repartee"
# The folders of scenarios, the module, and the folders in which the rules of its machines stand. What is declared,
# such as texts, forms of the wire and HTML, is no rule and has tests of its own.
SYSTEMS = {
    "boldchat": ("BoldChat", ["Client", "Server", "Forms", "Screen"]),
    "oracle": ("OracleAssistant", ["Client", "Server", "Channel", "Speech"]),
    "livelike": ("LiveLike", ["Client", "Server"]),
    "liveassist": ("LiveAssist", ["Client", "Server", "Screen"]),
}
NO_RULES = re.compile(r"HTML|Template|Vocabulary")
# A mutant that has not ended by then hangs, which a run with a limit ends as well: it is killed.
FLOOR = 20
# So that a mutant that grows without end does not take the machine with it.
MEMORY = 4 << 30


def sources():
    """The points of all systems, which have numbers of their own, and the files they stand in."""
    found, number = {}, 1
    for system, (module, folders) in SYSTEMS.items():
        paths = [
            path for folder in folders
            for path in sorted((ROOT / "Sources/Systems" / module / folder).rglob("*.swift"))
            if not NO_RULES.search(path.name)]
        limits = set().union(*(mutants.limits(path.stem, path.read_text()) for path in paths))
        for path in paths:
            source = mutants.Source(path.stem, path.read_text(), number, limits)
            number += len(source.points)
            found[path.relative_to(ROOT)] = (system, source)
    return found


def fingerprint():
    digest = hashlib.sha256()
    for folder in (ROOT / "Sources", ROOT / "Tests/Mutation"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def copy_tree():
    COPY.mkdir(parents=True, exist_ok=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    if not (BUILD / "checkouts").exists():
        subprocess.run(["swift", "package", "resolve"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        for name in ("checkouts", "repositories", "workspace-state.json"):
            subprocess.run(["cp", "-a", ROOT / ".build" / name, BUILD], check=True)
    known = set()
    for path in sorted((ROOT / "Sources").rglob("*")):
        target = COPY / path.relative_to(ROOT)
        known.add(target)
        if path.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        else:
            write(target, path.read_bytes())
    for module, _ in SYSTEMS.values():
        target = COPY / "Sources/Systems" / module / "Mutant.swift"
        known.add(target)
        write(target, mutants.SWITCH.encode())
    for path in sorted((COPY / "Sources").rglob("*"), reverse=True):
        if path not in known:
            path.unlink() if path.is_file() else path.rmdir()
    # A mutant may well make a warning of what is sound in the product.
    package = (ROOT / "Package.swift").read_text().replace(".treatAllWarnings(as: .error),", "")
    write(COPY / "Package.swift", package.encode())
    write(COPY / "Package.resolved", (ROOT / "Package.resolved").read_bytes())
    if not (COPY / "Tests").exists():
        (COPY / "Tests").symlink_to(ROOT / "Tests")


def write(path, content):
    """Writes a file only if it says something else, so that the build compiles no more than it must."""
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def build(found, print_of):
    """Builds one program with all mutants; gives the numbers of those that the compiler refused."""
    # A build that was broken off goes on where it was.
    told = WORK / "refused.json"
    state = json.loads(told.read_text()) if told.exists() else {}
    refused = set(state["refused"]) if state.get("sources") == print_of else set()
    for _ in range(40):
        for path, (_, source) in found.items():
            write(COPY / path, source.rewritten(refused).encode())
        built = subprocess.run(
            ["swift", "build", "--disable-automatic-resolution", "--package-path", COPY, "--scratch-path", BUILD,
             "--product", "repartee"], capture_output=True, text=True, check=False)
        if built.returncode == 0:
            return refused
        (WORK / "build.log").write_text(built.stdout + built.stderr)
        before = len(refused)
        places = set(re.findall(r"(?m)^(\S+?\.swift):(\d+):\d+: error:", built.stdout + built.stderr))
        for name, line in places:
            path = Path(name)
            if path.is_relative_to(COPY) and path.relative_to(COPY) in found:
                refused |= blamed(found[path.relative_to(COPY)][1].points, int(line), refused)
        told.write_text(json.dumps({"sources": print_of, "refused": sorted(refused)}))
        print(f"{len(refused)} mutants do not compile; building once more", file=sys.stderr, flush=True)
        if len(refused) == before:
            sys.exit(f"error: the build failed; its output is in {WORK / 'build.log'}")
    sys.exit("error: the mutants do not compile")


def blamed(points, line, refused):
    """The points of a line, or of the nearest one before that has any; and what shares an edit with them."""
    rest = [point for point in points if point.number not in refused and point.line <= line]
    if not rest:
        rest = [point for point in points if point.number not in refused]
        if not rest:
            return set()
        nearest = min(point.line for point in rest)
    else:
        nearest = max(point.line for point in rest)
    # Only a wrapper that is shared has lines of its own.
    guilty = [point for point in rest if point.line == nearest]
    edits = [edit for point in guilty for edit in point.edits]
    return {point.number for point in points if any(edit in edits for edit in point.edits)}


def run(system_files, seconds, mutant=None, passed=None):
    """Plays scenarios in virtual time; gives the exit code, or nil where it hung."""
    environment = dict(os.environ)
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if mutant is not None:
        environment["REPARTEE_MUTANT"] = str(mutant)
    if passed is not None:
        environment["REPARTEE_PASSED"] = str(passed)
    reports = WORK / "reports"
    try:
        return subprocess.run(
            [PROGRAM, "test", *system_files, "--seed", "1", "--fail-fast", "--capture", "none", "--reports", reports],
            cwd=ROOT, env=environment, timeout=seconds, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
    except subprocess.TimeoutExpired:
        return None


def coverage(system, total):
    """Which points each file of scenarios passes, and how long it takes."""
    files, passed = {}, WORK / "passed"
    for path in sorted((ROOT / "Scenarios").rglob("*.lua")):
        # Scenarios of other folders play a system, too: plain requests to its server, or matchers and fixtures.
        if path.parent.name != system and f'require "{system}"' not in path.read_text():
            continue
        name = str(path.relative_to(ROOT))
        passed.write_bytes(bytes(total + 1))
        start = time.monotonic()
        result = run([name], 600, passed=passed)
        if result.returncode == 5:
            continue
        if result.returncode != 0:
            sys.exit(f"error: {name} is not green without a mutant:\n{result.stdout.decode()[-3000:]}")
        files[name] = (time.monotonic() - start, passed.read_bytes())
    return files


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=f"{', '.join(SYSTEMS)}; all unless given")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants of each system are tried; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", type=int, nargs="*", default=None, metavar="MUTANT", help="only these mutants")
    parser.add_argument("--least", type=float, default=0, help="fails under this share of killed mutants, in percent")
    options = parser.parse_args()
    for system in options.systems:
        if system not in SYSTEMS:
            parser.error(f"there is no system {system}; there are {', '.join(SYSTEMS)}")
    found = sources()
    built, print_of = WORK / "built.json", fingerprint()
    state = json.loads(built.read_text()) if built.exists() else {}
    if state.get("sources") != print_of:
        copy_tree()
        state = {"sources": print_of, "refused": sorted(build(found, print_of))}
        built.write_text(json.dumps(state))
    refused = set(state["refused"])
    total = sum(len(source.points) for _, source in found.values())
    worst = 100.0
    for system in options.systems or SYSTEMS:
        worst = min(worst, judge(system, found, refused, total, options))
    sys.exit(1 if worst < options.least else 0)


def judge(system, found, refused, total, options):
    """Tries a sample of the mutants of a system and prints what survived; gives the share of the killed."""
    points = [
        (path, point) for path, (owner, source) in found.items() if owner == system
        for point in source.points if point.number not in refused]
    files = coverage(system, total)
    chosen = points
    if options.only is not None:
        chosen = [pair for pair in points if pair[1].number in options.only]
    elif 0 < options.sample < len(points):
        chosen = sorted(random.Random(f"{options.seed} {system}").sample(points, options.sample), key=lambda p: p[1].number)
    unreached, survived, killed = [], [], 0
    for path, point in chosen:
        passing = sorted((seconds, name) for name, (seconds, seen) in files.items() if seen[point.number])
        if not passing:
            unreached.append((path, point))
            continue
        limit = FLOOR + 10 * sum(seconds for seconds, _ in passing)
        result = run([name for _, name in passing], limit, mutant=point.number)
        if result is None or result.returncode != 0:
            killed += 1
        else:
            survived.append((path, point))
    for title, rest in (("survived", survived), ("not reached by any scenario", unreached)):
        for path, point in rest:
            print(f"{title}: {path}:{point.line}: {point.change} (mutant {point.number})")
    share = 100 * killed / max(len(chosen), 1)
    print(
        f"{system}: {len(points)} mutants, {len(chosen)} tried, {len(chosen) - len(unreached)} reached, {killed} killed, "
        f"{len(survived) + len(unreached)} survived: {share:.1f} % killed", flush=True)
    return share


main()
