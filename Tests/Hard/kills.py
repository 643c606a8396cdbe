"""Runs that are killed at random moments, and whether what they leave claims more than was played."""

import json
import random
import re
import signal
import time
import xml.etree.ElementTree as ElementTree

from tool import Folder

TEST = """
for number = 1, 150 do
    scenario("number " .. number, function(t)
        for line = 1, 20 do log.info(random.hex(100)) wait "1s" end
        expect(number, number)
    end)
end
-- Each of the hundred thousand hours takes a processor some time, so that the run outlives every kill.
scenario("endless", { timeout = "100000h" }, function()
    while true do for _ = 1, 100000 do end wait "1h" log.info "on" end
end)
"""

LOAD = """
workload { executor = "constant_vus", users = 5, duration = "10m" }
scenario("waits", function(t) wait "50ms" expect(1, 1) end)
"""

SENTENCE = re.compile(r"the run did not end", re.IGNORECASE)


def claims_of_test(folder):
    """The documents of a run of `test`, each with what it claims too much, or None."""
    for name in ("r/junit.xml", "r/report.html", "r/ctrf.json", "r/tap.txt"):
        data = folder.read(name)
        if data is None:
            continue
        text = data.decode("utf-8", "replace")
        problem = None if SENTENCE.search(text) else "does not say that the run did not end"
        try:
            if name.endswith(".xml"):
                errors = ElementTree.fromstring(text).iter("error")
                if not any(SENTENCE.search(error.get("message", "")) for error in errors):
                    problem = "has no error case for the run"
            elif name.endswith(".json"):
                summary = json.loads(text)["results"]["summary"]
                if summary["failed"] < 1:
                    problem = "counts no failure"
        except (ElementTree.ParseError, ValueError, KeyError) as error:
            problem = f"cannot be read: {error}"
        yield name, problem
    record = folder.read("r/run.jsonl")
    if record is not None:
        yield "r/run.jsonl", "says that the run ended" if b'"run_ended"' in record else None


def claims_of_load(folder):
    """The documents of a load run, each with what it claims too much, or None."""
    for name in ("r/load.json", "r/load.html", "r/load-junit.xml"):
        data = folder.read(name)
        if data is None:
            yield name, "is missing"
            continue
        text = data.decode("utf-8", "replace")
        says = '"unfinished"' in text if name.endswith(".json") else SENTENCE.search(text)
        yield name, None if says else "does not say that the run did not end"


def kill(tool, script, arguments, after, claims):
    with Folder({"a.lua": script}) as folder:
        process = tool.start([*arguments, "a.lua", "--reports", "r"], folder.path)
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return list(claims(folder)), process.returncode == -signal.SIGKILL


def check(tool, table, watch, rounds):
    chance = random.Random(1)
    took = watch()
    documents, wrong, killed = 0, 0, 0
    for number in range(rounds):
        is_load = number % 4 == 3
        if is_load:
            # The first checkpoint stands after at most ten seconds.
            found, was_killed = kill(
                tool, LOAD, ["load", "--clock", "real", "--no-calibrate", "--quiet"], 10.5 + chance.random(),
                claims_of_load)
        else:
            found, was_killed = kill(
                tool, TEST, ["test", "--ctrf", "r/ctrf.json", "--tap", "r/tap.txt", "--quiet"], 0.9 * chance.random(),
                claims_of_test)
        if not was_killed:
            table.find(f"kill {number}: the run had ended before")
            wrong += 1
            continue
        killed += 1
        documents += len(found)
        for name, problem in found:
            if problem:
                wrong += 1
                table.find(f"kill {number}: {name} {problem}")
    table.add(
        "documents of runs that were killed", documents, wrong, "false claims", f"{killed} kills", took=took.seconds)
