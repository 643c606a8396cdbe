"""A week in virtual time, and some time over sockets in which memory must not grow."""

import os
import re
import resource
import signal
import time

from tool import Folder

WEEK = """
local boldchat = require "boldchat"
-- Fifty visitors for a week: each talks with an agent, leaves, and is back after half an hour.
workload {
    executor = "constant_vus", users = 50, duration = "%dh", graceful_stop = "1h",
    thresholds = { "count(lost) == 0", "rate(failures) == 0" },
}
scenario("a visitor comes back", { timeout = "2h" }, function(t)
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    sam:expect "chat_waiting"
    sam:accept(visitor)
    visitor:expect "accepted"
    for question = 1, 3 do
        visitor:say("Question " .. question)
        sam:expect("message", { text = "Question " .. question })
        sam:say "That is easy."
        visitor:expect("message", { text = "That is easy." })
    end
    visitor:end_session()
    wait "30m"
end)
"""

HOUR = """
local boldchat = require "boldchat"
workload { executor = "constant_vus", users = 50, duration = "%ds", graceful_stop = "20s" }
scenario("a visitor talks", function(t)
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    sam:expect "chat_waiting"
    sam:accept(visitor)
    visitor:expect "accepted"
    for question = 1, 3 do
        visitor:say("Question " .. question)
        sam:expect("message", { text = "Question " .. question })
        sam:say "That is easy."
        visitor:expect("message", { text = "That is easy." })
        wait(0.2 + random.number() * 0.3)
    end
    visitor:end_session()
end)
"""

# What a week of fifty visitors may take, in seconds of the processor.
WEEK_LIMIT = 20

# By how much the memory of the second half may be above that of the first.
GROWTH = 1.15


def resident(process):
    """The resident memory in bytes, 0 once the process has ended."""
    try:
        with open(f"/proc/{process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def week(tool, table, watch):
    took = watch()
    # The promise is one of the release build; a debugging build has about an eighth of its speed.
    hours, span = (168, "a week") if "release" in tool.program else (21, "an eighth of a week")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with Folder({"week.lua": WEEK % hours}) as folder:
        ended = tool.run(["load", "week.lua", "--clock", "virtual", "--seed", "1", "--reports", "r"], folder.path, 600)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    iterations = re.search(r"([\d,]+) iterations of", ended.output)
    count = int(iterations[1].replace(",", "")) if iterations else 0
    bad = int(ended.code != 0) + int(seconds >= WEEK_LIMIT)
    if bad:
        table.find(f"{span}: exit {ended.code} after {seconds:.1f} s of the processor\n{ended.output[-800:]}")
    table.add(
        f"visits in {span}, virtual", count, bad, "broken promises",
        f"{seconds:.1f} s of the processor, less than {WEEK_LIMIT} wanted", took=took.seconds)


def serve(tool, folder):
    """A process that serves simulated servers, and the address of its control port; None if it does not start."""
    process = tool.start(["serve", "--port", "0"], folder)
    line = process.stdout.readline().decode("utf-8", "replace").split()
    if line[:1] == ["control"]:
        return process, line[1]
    stop(process)
    return process, None


def stop(process):
    """Ends a process and what it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    return process.communicate()[0].decode("utf-8", "replace")


def sockets(tool, table, watch, seconds, file):
    """Visitors and agents in one process, the desks in another: a desk for each visit, and sockets between them.

    file: where the samples go, as seconds and resident bytes of each process, or None.
    """
    took = watch()
    with Folder({"hour.lua": HOUR % seconds}) as folder:
        server, url = serve(tool, folder.path)
        if url is None:
            table.find("sockets: repartee serve does not start")
            table.add("seconds over sockets, 50 visitors", 0, 1, "broken promises", took=took.seconds)
            return
        process = tool.start(
            ["load", "hour.lua", "--target", url, "--clock", "real", "--no-calibrate", "--quiet", "--reports", "r"],
            folder.path)
        samples = []
        begin = time.monotonic()
        while process.poll() is None and time.monotonic() < begin + seconds + 60:
            samples.append((time.monotonic() - begin, resident(process), resident(server)))
            if file:
                with open(file, "w", encoding="utf-8") as lines:
                    lines.write("seconds,load,serve\n")
                    lines.writelines(f"{second:.0f},{load},{desks}\n" for second, load, desks in samples)
            time.sleep(max(0.5, min(30, seconds / 200)))
        output = stop(process)
        has_ended = server.poll() is not None
        stop(server)
    # The first tenth is the start; after it the greatest of each half tells whether there is growth.
    samples = [sample for sample in samples[len(samples) // 10:] if sample[1] and sample[2]]
    half = len(samples) // 2
    # A machine that is busy with other things makes times that nobody can judge; here memory is what counts.
    is_busy = process.returncode == 4 and re.search(r"^generator +invalid", output, re.MULTILINE) is not None
    bad = int(process.returncode != 0 and not is_busy) + int(has_ended or half == 0)
    told = ["the machine was too busy to judge times"] if is_busy else []
    for column, name in ((1, "load"), (2, "serve")):
        first = max((sample[column] for sample in samples[:half]), default=0)
        second = max((sample[column] for sample in samples[half:]), default=0)
        told.append(f"{name} at most {first >> 20} MB, then {second >> 20} MB")
        bad += int(second > first * GROWTH)
    if bad:
        table.find(f"sockets: exit {process.returncode}, {told}\n{output[-800:]}")
    table.add(
        "seconds over sockets, 50 visitors", seconds, bad, "broken promises", "; ".join(told), took=took.seconds)


def check(tool, table, watch, seconds, file):
    week(tool, table, watch)
    sockets(tool, table, watch, seconds, file)
