#!/usr/bin/env python3
"""Lets generators do the same JSON echo work against the same server and prints what it costs them.

Round trips are counted by the server and CPU time by the kernel, both over the same window, after all users are
connected: so no generator is believed about itself, and none pays for its start. Each generator runs on one core and the
server on another, where there are two.

    measure.py FOLDER [--users 10,100,1000] [--seconds 10] [--idle 7000] [--most-idle 20000] [--only NAME,...]
        [--echo-only] [--out FILE] [--repartee PROGRAM]

`repartee` plays with its built-in system for WebSockets, `in Lua` with one that does the same and is written in Lua,
`table` with the built-in one while its script walks each message as a table, `orders` while it walks a hundred entries of
a table of its own for each.

FOLDER holds the built echo_server, epoll_client and wakeups, and the virtual environment `peers` with k6 and locust.
"""

import argparse
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TICKS = os.sysconf("SC_CLK_TCK")
CORES = sorted(os.sched_getaffinity(0))
# How long a generator works before it is measured, in seconds.
WARM_UP = 2
# From how many idle users on their memory is measured: the allocator gets its memory in pieces, of which a few hundred
# users leave more or less of the last ones unused.
FEW_IDLE = 2000


def pinned(core):
    """Returns what makes a process run on one core only; nothing where there is one core."""
    return (lambda: os.sched_setaffinity(0, {core})) if len(CORES) > 1 else None


def family(pid):
    """Returns the process ids of a process and of all that it has started."""
    pids = [pid]
    for known in pids:
        for task in pathlib.Path(f"/proc/{known}/task").glob("*/children"):
            try:
                pids += [int(child) for child in task.read_text().split()]
            except OSError:
                pass
    return pids


def cpu_seconds(pid):
    """Returns the CPU time that a process and its children have used, user and system."""
    user = system = 0
    for member in family(pid):
        try:
            fields = pathlib.Path(f"/proc/{member}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        user += int(fields[11]) + int(fields[13])
        system += int(fields[12]) + int(fields[14])
    return user / TICKS, system / TICKS


def private_bytes(pid):
    """Returns the memory that a process and its children have for themselves."""
    total = 0
    for member in family(pid):
        try:
            for line in pathlib.Path(f"/proc/{member}/smaps_rollup").read_text().splitlines():
                if line.startswith("Private_"):
                    total += int(line.split()[1]) * 1024
        except OSError:
            continue
    return total


class Server:
    def __init__(self, folder, core=CORES[-1]):
        self.process = subprocess.Popen(
            [folder / "echo_server"], stdout=subprocess.PIPE, text=True,
            preexec_fn=None if core is None else pinned(core),
        )
        self.port = int(self.process.stdout.readline())

    def count(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/count", timeout=60) as answer:
            connections, messages = answer.read().split()
        return int(connections), int(messages)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Generator:
    """How one generator is started, and on which cores it and its server run: one for each, or any where it is None."""

    def __init__(self, name, command, environment=None, core=CORES[0], server_core=CORES[-1]):
        self.name = name
        self.command = command
        self.core = core
        self.server_core = server_core
        self.environment = environment or (lambda url, users, idle: {})

    def start(self, url, users, idle, log):
        port = url.rsplit(":", 1)[1].strip("/")
        return subprocess.Popen(
            [str(part) for part in self.command(url, port, users, idle)],
            env={**os.environ, **self.environment(url, users, idle)},
            stdout=log,
            stderr=log,
            preexec_fn=None if self.core is None else pinned(self.core),
            start_new_session=True,
            cwd=HERE,
        )


def peer_environment(url, users, idle):
    return {"URL": url, "USERS": str(users), **({"IDLE": "1"} if idle else {})}


def project(folder, url):
    """Makes a project of repartee whose target is the server, and returns its folder."""
    place = folder / "project"
    place.mkdir(exist_ok=True)
    (place / "repartee.lua").write_text(
        f'return {{ targets = {{ echo = {{ url = "{url}" }} }}, env = {{ "IDLE", "PAUSE", "USERS", "STEADY" }} }}\n'
    )
    for name in ("echo.lua", "own.lua", "walk.lua", "orders.lua", "fanout.lua", "pace.lua"):
        (place / name).write_text((HERE / name).read_text())
    return place


def fanout(folder, repartee):
    """Returns how repartee takes in what a server sends to many."""
    return Generator(
        "fan-out",
        lambda url, port, users, idle: [
            repartee, "load", project(folder, url) / "fanout.lua", "--users", users, "--duration", "9m", "--target",
            "echo", "--reports", folder / "reports", "--quiet",
        ],
    )


def generators(folder, repartee):
    peers = folder / "peers" / "bin"
    found = [
        Generator(
            "raw epoll", lambda url, port, users, idle: [folder / "epoll_client", port, users] + (["idle"] if idle else [])
        )
    ]
    knows_load = repartee.exists() and "--users" in subprocess.run(
        [repartee, "load", "--help"], capture_output=True, text=True
    ).stdout
    if knows_load:
        for name, script in (
            ("repartee", "echo.lua"), ("in Lua", "own.lua"), ("table", "walk.lua"), ("orders", "orders.lua"),
        ):
            found.append(
                Generator(
                    name,
                    lambda url, port, users, idle, script=script: [
                        repartee, "load", project(folder, url) / script, "--users", users, "--duration", "9m",
                        "--target", "echo", "--cores", "1", "--reports", folder / "reports", "--quiet",
                    ],
                    peer_environment,
                )
            )
    else:
        print(f"repartee: {repartee} does not know the command load; only the others are measured")
    if (peers / "k6").exists():
        found.append(
            Generator(
                "k6",
                lambda url, port, users, idle: [
                    peers / "k6", "run", "--quiet", "--no-usage-report", "--no-summary", "--no-thresholds", HERE / "echo_k6.js",
                ],
                peer_environment,
            )
        )
    if (peers / "locust").exists():
        found.append(
            Generator(
                "locust",
                lambda url, port, users, idle: [
                    peers / "locust", "-f", HERE / "echo_locust.py", "--headless", "-u", users, "-r", users, "--only-summary",
                    "--loglevel", "ERROR",
                ],
                peer_environment,
            )
        )
    return found


def connected(server, process, users, limit=120):
    """Waits until all users are connected."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        if process.poll() is not None:
            return False
        if server.count()[0] >= users:
            return True
        time.sleep(0.2)
    return False


def end(process):
    """Ends a generator that was started here, with all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def window(server, process, seconds):
    """Returns the messages that the server counts in a time, what a generator spends meanwhile, and how long it was."""
    time.sleep(WARM_UP)
    before, spent, start = server.count()[1], cpu_seconds(process.pid), time.monotonic()
    time.sleep(seconds)
    after, now_spent, stop = server.count()[1], cpu_seconds(process.pid), time.monotonic()
    return after - before, now_spent[0] - spent[0], now_spent[1] - spent[1], stop - start


def measure(folder, generator, users, seconds):
    """Returns the figures of one generator at one number of users; nil if it did not come to work."""
    server = Server(folder, generator.server_core)
    log_path = folder / f"{generator.name.replace(' ', '-')}.log"
    with open(log_path, "w") as log:
        process = generator.start(f"ws://127.0.0.1:{server.port}/", users, False, log)
        try:
            if not connected(server, process, users):
                return None
            served = sum(cpu_seconds(server.process.pid))
            messages, user, system, elapsed = window(server, process, seconds)
            # The window begins some time later; what the server used until then is little beside the rest.
            served = sum(cpu_seconds(server.process.pid)) - served
        finally:
            end(process)
            server.stop()
    if messages == 0 or user + system == 0:
        return None
    return {
        "server_cores": served / (elapsed + WARM_UP),
        "generator": generator.name,
        "users": users,
        "per_second": messages / elapsed,
        "cores": (user + system) / elapsed,
        "per_cpu_second": messages / (user + system),
        "user_share": user / (user + system),
    }


def half_load(folder, repartee, users, per_second, seconds):
    """Keeps repartee about half busy, and returns the rate, the cores and what it says of its timers.

    Users who wait between their messages need about twice the time for each: they have timers, and come one by one.
    """
    server = Server(folder)
    url = f"ws://127.0.0.1:{server.port}/"
    pace = Generator(
        "half load",
        lambda url, port, users, idle: [
            repartee, "load", project(folder, url) / "pace.lua", "--target", "echo", "--reports", folder / "reports",
            "--quiet",
        ],
        lambda url, users, idle: {
            "USERS": str(users), "STEADY": f"{seconds + 5:g}s", "PAUSE": f"{4 * users / per_second:.3f}",
        },
    )
    log_path = folder / "half-load.log"
    with open(log_path, "w") as log:
        process = pace.start(url, users, False, log)
        try:
            if not connected(server, process, users):
                return None
            floor = wakeups(folder, seconds)
            messages, user, system, elapsed = window(server, process, seconds)
            floor = woken(floor)
            process.wait(60)
        finally:
            end(process)
            server.stop()
    lines = log_path.read_text().splitlines()
    return {
        "users": users,
        "per_second": messages / elapsed,
        "cores": (user + system) / elapsed,
        "timers": next((line.split()[5] for line in lines if line.startswith("timer_lateness")), "unknown"),
        "machine": floor,
        "verdict": next((line.split(None, 1)[1] for line in lines if line.startswith("generator")), "none"),
    }


def wakeups(folder, seconds):
    """Begins to measure how late this machine wakes a program that only sleeps, on the generator's core."""
    return subprocess.Popen(
        [folder / "wakeups", str(seconds)], stdout=subprocess.PIPE, text=True, preexec_fn=pinned(CORES[0])
    )


def woken(process):
    """Returns how late the machine was, at the 99th percentile."""
    microseconds = int(process.communicate(timeout=60)[0].split()[2])
    return f"{microseconds / 1000:.2f}ms" if microseconds >= 1000 else f"{microseconds}us"


def on_cores(folder, repartee, cores, core=None):
    """Returns repartee on so many cores, which it may choose, as the server may, or both of them on one."""
    return Generator(
        f"{cores} cores",
        lambda url, port, users, idle: [
            repartee, "load", project(folder, url) / "echo.lua", "--users", users, "--duration", "9m", "--target", "echo",
            "--cores", cores, "--reports", folder / "reports", "--quiet",
        ],
        peer_environment,
        core=core,
        server_core=core,
    )


def print_cores(folder, repartee, users, seconds):
    """Measures what a second core brings, beside a server in a process of its own, and returns the figures.

    Where the machine has no core to spare, the server takes a part of what the generator could use: so it is also
    measured what both do on one core, which is the machine with half of its cores.
    """
    figures = []
    for cores, core in ((1, CORES[0]), (1, None), (2, None)):
        figure = measure(folder, on_cores(folder, repartee, cores, core), users, seconds)
        if figure is None:
            print(f"{cores} cores: did not work; see {folder}/{cores}-cores.log")
            return figures
        figures.append(figure)
        where = f"on {cores} of {len(CORES)} cores, the C server on any" if core is None else "and the C server on one core"
        print(
            f"repartee {where}: {figure['per_second']:,.0f} round trips/s, {figure['cores']:.2f} cores used, "
            f"{figure['server_cores']:.2f} by the server", flush=True,
        )
    shared, one, two = figures
    ratio = two["per_second"] / one["per_second"]
    # What a round trip costs both together, and the cores that there are, say what cannot be had more of.
    cost = (two["cores"] + two["server_cores"]) / two["per_second"]
    most = min(2, len(CORES) / cost / one["per_second"])
    print(
        f"two cores do {ratio:.2f} times the round trips/s of one (at most {most:.2f}, for the server needs "
        f"{two['server_cores']:.2f} of the {len(CORES)} cores), at an efficiency of "
        f"{two['per_cpu_second'] / one['per_cpu_second']:.0%} (round trips per CPU-second, two to one)"
    )
    print(f"with the server they do {two['per_second'] / shared['per_second']:.2f} times what both do on one core")
    return figures


def from_addresses(folder, repartee, addresses):
    """Returns repartee whose users leave from several addresses, for one has too few ports for all."""
    return Generator(
        "many",
        lambda url, port, users, idle: [
            repartee, "load", project(folder, url) / "echo.lua", "--users", users, "--duration", "9m", "--target", "echo",
            "--cores", "1", "--source-addresses", addresses, "--reports", folder / "reports", "--quiet",
        ],
        peer_environment,
    )


def most_idle(folder, repartee, users, samples=4, interval=5):
    """Returns how many users are idle in one process and how much memory it has each time one looks; nil if none are."""
    generator = from_addresses(folder, repartee, "127.0.0.2-127.0.0.3")
    server = Server(folder)
    log_path = folder / "most-idle.log"
    with open(log_path, "w") as log:
        process = generator.start(f"ws://127.0.0.1:{server.port}/", users, True, log)
        try:
            if not connected(server, process, users):
                return None
            time.sleep(interval)
            sizes = []
            for _ in range(samples):
                sizes.append(private_bytes(process.pid))
                time.sleep(interval)
            files = len(list(pathlib.Path(f"/proc/{process.pid}/fd").iterdir()))
            return {"users": users, "files": files, "bytes": sizes, "connections": server.count()[0]}
        finally:
            end(process)
            server.stop()


def print_most_idle(folder, repartee, wanted):
    """Measures as many idle users as the limit of open files lets one process have, and returns the figures."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # The program and the server need some files themselves.
    users = min(wanted, limit - 100) if limit != resource.RLIM_INFINITY else wanted
    figure = most_idle(folder, repartee, users)
    if figure is None:
        print(f"{users:,} idle users: did not work; see {folder}/most-idle.log")
        return []
    sizes = figure["bytes"]
    growth = ", ".join(f"{(after - before) / 1024:.0f}" for before, after in zip(sizes, sizes[1:]))
    print(
        f"{figure['connections']:,} idle users in one process, {figure['files']:,} files of at most {limit:,}, "
        f"{sizes[-1] / 1024 / 1024:.0f} MiB private; growth from sample to sample: {growth} KiB"
    )
    return [{"generator": "most idle", **figure}]


def idle_bytes(folder, generator, few, many):
    """Returns the memory that one more idle user takes; nil if the generator did not come to work."""
    sizes = []
    for users in (few, many):
        server = Server(folder)
        log_path = folder / f"{generator.name.replace(' ', '-')}.log"
        with open(log_path, "w") as log:
            process = generator.start(f"ws://127.0.0.1:{server.port}/", users, True, log)
            try:
                if not connected(server, process, users):
                    return None
                time.sleep(3)
                sizes.append(private_bytes(process.pid))
            finally:
                end(process)
                server.stop()
    return (sizes[1] - sizes[0]) / (many - few)


def print_costs(figures):
    """Prints what a round trip costs each generator, on the mean of its rounds, and how often the first one's cost."""
    costs = {}
    for figure in figures:
        costs.setdefault(figure["generator"], []).append(1e6 / figure["per_cpu_second"])
    means = {name: sum(values) / len(values) for name, values in costs.items()}
    for name, mean in means.items():
        rounds = ", ".join(f"{value:.1f}" for value in costs[name])
        print(f"{name:<10} {mean:.1f} us of processor time a round trip ({rounds})")
    first = "repartee" if "repartee" in means else next(iter(means), None)
    for name in [name for name in means if name != first]:
        print(f"{name} takes {means[name] / means[first]:.2f} times the processor time of {first}")
    print_load_average()


def print_load_average():
    print("load average of the machine: " + ", ".join(f"{load:.1f}" for load in os.getloadavg()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--repartee", type=pathlib.Path, default=HERE.parent.parent / ".build" / "release" / "repartee")
    parser.add_argument("--users", default="10,100,1000")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--idle", type=int, default=7000)
    parser.add_argument("--most-idle", type=int, default=20000)
    parser.add_argument("--only", default="")
    parser.add_argument("--echo-only", action="store_true", help="measure nothing but echoes")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder.resolve()
    wanted = [name for name in options.only.split(",") if name]
    chosen = [one for one in generators(folder, options.repartee.resolve()) if not wanted or one.name in wanted]
    where = f"each generator on core {CORES[0]}, the server on core {CORES[-1]}" if len(CORES) > 1 else "one core for all"
    print(f"JSON echo over WebSocket, one message in flight per user; {where}")
    print(f"{'generator':<10} {'users':>6} {'round trips/s':>14} {'cores':>6} {'per CPU-second':>15} {'in user space':>14}")
    figures = []
    for users in [int(number) for number in options.users.split(",")]:
        for generator in chosen:
            figure = measure(folder, generator, users, options.seconds)
            if figure is None:
                print(f"{generator.name:<10} {users:>6}  did not work; see {folder}/{generator.name.replace(' ', '-')}.log")
                continue
            figures.append(figure)
            print(
                f"{generator.name:<10} {users:>6} {figure['per_second']:>14,.0f} {figure['cores']:>6.2f} "
                f"{figure['per_cpu_second']:>15,.0f} {figure['user_share']:>13.0%}",
                flush=True,
            )
    most = max((figure["users"] for figure in figures), default=0)
    best = {figure["generator"]: figure["per_cpu_second"] for figure in figures if figure["users"] == most}
    for name in best:
        for other in best:
            if name != other and (name == "repartee" or ("repartee" not in best and name == "raw epoll")):
                print(f"{name} does {best[name] / best[other]:.2f} times the round trips of {other} at {most} users")
    print_costs([figure for figure in figures if figure["users"] == most])
    if options.echo_only:
        chosen, options.idle = [], 0
    if any(generator.name == "repartee" for generator in chosen):
        figure = measure(folder, fanout(folder, options.repartee.resolve()), 100, options.seconds)
        if figure:
            figures.append(figure)
            print(f"repartee takes in {figure['per_cpu_second']:,.0f} small messages per CPU-second without a script, over 100 connections")
    full = next((figure for figure in figures if figure["generator"] == "repartee" and figure["users"] == most), None)
    if full and not options.echo_only:
        figure = half_load(folder, options.repartee.resolve(), most, full["per_second"], options.seconds)
        if figure:
            figures.append({"generator": "repartee at half load", **figure})
            print(
                f"repartee at half load, {figure['per_second']:,.0f} round trips/s on {figure['cores']:.2f} cores: timers "
                f"are at most {figure['timers']} late (p99), and a C program that only sleeps beside it is woken "
                f"{figure['machine']} late; verdict {figure['verdict']}"
            )
    if full and not options.echo_only:
        figures += print_cores(folder, options.repartee.resolve(), most, options.seconds)
    if options.idle > FEW_IDLE:
        print(f"private memory of one more idle user, from {FEW_IDLE:,} to {options.idle:,}:")
        for generator in chosen:
            size = idle_bytes(folder, generator, FEW_IDLE, options.idle)
            text = "did not work" if size is None else f"{size / 1024:.1f} KiB"
            print(f"{generator.name:<10} {text}", flush=True)
            if size is not None:
                figures.append({"generator": generator.name, "idle_bytes": size})
    measures_repartee = any(generator.name == "repartee" for generator in chosen)
    if measures_repartee and options.idle > FEW_IDLE and options.most_idle > 0:
        figures += print_most_idle(folder, options.repartee.resolve(), options.most_idle)
    print_load_average()
    if options.out:
        options.out.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
