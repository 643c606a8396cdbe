"""Plays an Indexed Job with processes: they get the command, the variables and the folders that its pods get.

    job.py PROGRAM MANIFEST

Three jobs are played. In the first a pod is killed while the others wait for it; its replacement plays, and the merged parts
must be the run of one process. In the second a pod is killed while its users play; then its replacement must refuse to
play, the job fails, and nothing may take the parts that are left for the whole. In the third the script has a mistake, and no pod may try it twice.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import yaml

LOAD = """
workload {
    executor = "constant_vus", users = 12, duration = "%s",
    think_time = { distribution = "exponential", mean = "200ms" },
}
scenario("thinks", function(t)
    think()
    metric.count("thoughts", 1, { parity = t.user.number %% 2 == 0 and "even" or "odd" })
end)
"""

BROKEN = """
workload { executor = "constant_vus", users = 4, duration = "2s" }
scenario("has a mistake", function(t) t:nonsense() end)
"""

# How long anything may take before the machine is taken for broken, in seconds.
PATIENCE = 60


class Job:
    """The Job of a manifest, as the controller of Kubernetes plays it."""

    def __init__(self, manifest, program, folder, options):
        self.spec = next(d for d in yaml.safe_load_all(open(manifest)) if d["kind"] == "Job")["spec"]
        self.container = self.spec["template"]["spec"]["containers"][0]
        self.program, self.folder, self.options = program, folder, options
        # The cluster labels each pod with the identity of its job.
        self.labels = {"batch.kubernetes.io/controller-uid": os.path.basename(folder)}
        self.pods, self.attempts, self.codes = {}, {}, {}
        assert self.spec["completionMode"] == "Indexed" and self.spec["parallelism"] == self.spec["completions"]
        for mount in self.container["volumeMounts"]:
            os.makedirs(self.place(mount["mountPath"]), exist_ok=True)

    def place(self, path):
        """Where a path of the container is here."""
        mounts = [mount["mountPath"] for mount in self.container["volumeMounts"]]
        return re.sub("(?<![^=])(" + "|".join(mounts) + ")(?=/|$)", self.folder + r"\1", path)

    def variables(self, index):
        own = {"JOB_COMPLETION_INDEX": str(index)}
        for variable in self.container["env"]:
            if "value" in variable:
                own[variable["name"]] = variable["value"]
            else:
                path = variable["valueFrom"]["fieldRef"]["fieldPath"]
                own[variable["name"]] = self.labels[re.fullmatch(r"metadata\.labels\['(.+)'\]", path)[1]]
        return own

    def start(self, index):
        own = self.variables(index)
        words = self.container["command"] + self.container["args"] + self.options
        words = [self.place(re.sub(r"\$\((\w+)\)", lambda name: own[name[1]], word)) for word in words]
        assert words[0] == "repartee", words
        attempt = self.attempts[index] = self.attempts.get(index, 0) + 1
        self.pods[index] = subprocess.Popen(
            [self.program] + words[1:], cwd=self.place(self.container["workingDir"]),
            env={"PATH": os.environ["PATH"], "HOSTNAME": f"repartee-load-{index}-{attempt}", **own},
            stdout=open(self.log(index, attempt), "w"), stderr=subprocess.STDOUT)

    def log(self, index, attempt):
        return f"{self.folder}/pod-{index}-{attempt}.log"

    def kill(self, index):
        self.pods[index].send_signal(signal.SIGKILL)

    def look(self):
        """Does what the controller does when pods end; returns whether the job goes on."""
        for index, pod in list(self.pods.items()):
            code = pod.poll()
            if code is None:
                continue
            del self.pods[index]
            final = [rule["onExitCodes"]["values"] for rule in self.spec["podFailurePolicy"]["rules"]]
            if code == 0 or code in final[0] or self.attempts[index] > self.spec["backoffLimitPerIndex"]:
                self.codes[index] = code
                if code and len([c for c in self.codes.values() if c]) > self.spec["maxFailedIndexes"]:
                    return False
            else:
                self.start(index)
        return bool(self.pods)

    def finish(self):
        end = time.monotonic() + PATIENCE
        while self.look():
            if time.monotonic() > end:
                self.fail("the pods do not end")
            time.sleep(0.1)
        for pod in self.pods.values():
            # A job that has failed takes its pods with it.
            pod.terminate()
            pod.wait(PATIENCE)

    def await_files(self, pattern, count):
        """Waits until so many files match."""
        end = time.monotonic() + PATIENCE
        while True:
            paths = (os.path.join(base, name) for base, _, names in os.walk(self.folder) for name in names)
            if sum(1 for path in paths if re.search(pattern, path)) >= count:
                return
            if time.monotonic() > end:
                self.fail(f"no {count} files like {pattern}")
            time.sleep(0.05)

    def fail(self, message):
        for pod in self.pods.values():
            pod.kill()
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                print(f"--- {name}", open(f"{self.folder}/{name}").read()[-2000:], sep="\n", file=sys.stderr)
        sys.exit(f"FAILED kubernetes: {message}")


def run(*words):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)


def results(job):
    return [os.path.join(base, name) for base, _, names in os.walk(job.folder + "/results") for name in names
            if re.fullmatch(r"load-.*\.json", name)]


def figures(path):
    """What users measured; what each generator notes of itself comes once a process."""
    with open(path) as file:
        return [line for line in file if not re.search(r'(^|,)"?(timer_lateness|users)"?,', line)]


def write_load(job, duration):
    with open(job.place(job.container["workingDir"]) + "/load.lua", "w") as file:
        file.write(LOAD % duration)


def replaced_in_time(manifest, program, folder):
    print("== a pod is lost while the others wait for it")
    job = Job(manifest, program, folder, ["--clock", "virtual", "--quiet"])
    write_load(job, "20s")
    last = job.spec["completions"] - 1
    for index in range(last):
        job.start(index)
    job.await_files(r"/rendezvous/.*ready", last)
    job.kill(1)
    job.pods[1].wait(PATIENCE)
    job.look()
    if job.attempts[1] != 2:
        job.fail("the pod that was lost is not replaced")
    job.start(last)
    job.finish()
    if job.codes != {index: 0 for index in range(last + 1)}:
        job.fail(f"the pods ended with {job.codes}")
    merged = run(program, "report", *results(job), "--csv", folder + "/parts.csv")
    whole = run(program, "load", folder + "/project/load.lua", "--seed", "42", *job.options, "--reports",
                folder + "/whole", "--csv", folder + "/whole.csv")
    if merged.returncode or whole.returncode:
        job.fail(merged.stdout + whole.stdout)
    parts, one = figures(folder + "/parts.csv"), figures(folder + "/whole.csv")
    if not one or parts != one:
        job.fail("the parts are not the whole run")
    print(f"{last + 1} pods, one of them replaced, are one run: {len(one)} equal lines")


def lost_too_late(manifest, program, folder):
    print("== a pod is lost while its users play")
    job = Job(manifest, program, folder, ["--quiet"])
    write_load(job, "15s")
    for index in range(job.spec["completions"]):
        job.start(index)
    job.await_files(r"/rendezvous/.*/start$", 1)
    # All have heard of the start, and begin a few seconds after it.
    time.sleep(8)
    job.kill(2)
    job.finish()
    if job.codes.get(2) != 4 or "comes too late" not in open(job.log(2, 2)).read():
        job.fail(f"the replacement of a pod whose users had begun ended with {job.codes.get(2)}")
    merged = run(program, "report", *results(job))
    if merged.returncode == 0:
        job.fail("parts without the one that was lost are taken for a whole run:\n" + merged.stdout)
    print("its replacement comes too late and says so; the job fails, and its parts are no run")


def broken_script(manifest, program, folder):
    print("== the script has a mistake")
    job = Job(manifest, program, folder, ["--clock", "virtual", "--quiet"])
    with open(job.place(job.container["workingDir"]) + "/load.lua", "w") as file:
        file.write(BROKEN)
    for index in range(job.spec["completions"]):
        job.start(index)
    job.finish()
    if not job.codes or set(job.codes.values()) != {3} or set(job.attempts.values()) != {1}:
        job.fail(f"the pods ended with {job.codes} after attempts {job.attempts}")
    print("the job fails, and no pod tries a script again that is wrong")


def main():
    program, manifest = os.path.abspath(sys.argv[1]), sys.argv[2]
    folder = tempfile.mkdtemp(prefix="repartee-kubernetes-")
    try:
        for number, play in enumerate((replaced_in_time, lost_too_late, broken_script), 1):
            os.mkdir(f"{folder}/job-{number}")
            play(manifest, program, f"{folder}/job-{number}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
