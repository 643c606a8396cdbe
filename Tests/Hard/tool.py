"""Runs the program and collects what the checks count."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time


class Tool:
    """The program under test."""

    def __init__(self, program):
        self.program = os.path.abspath(program)

    def start(self, arguments, folder):
        """Starts it in a process group of its own."""
        return subprocess.Popen(
            [self.program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, start_new_session=True)

    def run(self, arguments, folder, within):
        """Runs it; the code is None if it had to be killed because it did not end in time."""
        process = self.start(arguments, folder)
        try:
            output, _ = process.communicate(timeout=within)
            return Ended(process.returncode, output.decode("utf-8", "replace"))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return Ended(None, output.decode("utf-8", "replace"))


class Ended:
    """How a run ended."""

    def __init__(self, code, output):
        self.code = code
        self.output = output

    @property
    def has_trapped(self):
        """Whether a signal ended it that nobody sent."""
        return self.code is not None and self.code < 0


class Folder:
    """A folder that is gone at the end."""

    def __init__(self, files=None):
        self.path = tempfile.mkdtemp(prefix="repartee-hard-")
        for name, text in (files or {}).items():
            self.write(name, text)

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        """The bytes of a file, or None."""
        try:
            with open(os.path.join(self.path, name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Table:
    """What was tried and what came of it, a row for each kind."""

    def __init__(self):
        self.rows = []
        self.findings = []

    def add(self, what, tried, bad, name_of_bad, note="", took=None):
        """Adds a row, and tells of it at once.

        bad: how many of those that were tried are as they must not be; zero is wanted.
        """
        self.rows.append((what, tried, bad, name_of_bad, note, took))
        print(self.line(self.rows[-1]), file=sys.stderr, flush=True)

    def find(self, what):
        """Notes one thing that is as it must not be."""
        self.findings.append(what)

    @property
    def is_good(self):
        return all(bad == 0 for _, _, bad, _, _, _ in self.rows)

    @staticmethod
    def line(row):
        """A row as people read it."""
        what, tried, bad, name, note, took = row
        seconds = "" if took is None else f"{took:4.0f} s"
        mark = "ok " if bad == 0 else "BAD"
        return f"{mark} {what:<34}{tried:>9,} tried {f'{bad:,} {name}':>24} {seconds:>7}  {note}".rstrip()

    def __str__(self):
        return "\n".join(self.line(row) for row in self.rows)


class Watch:
    """How long something takes."""

    def __init__(self):
        self.start = time.monotonic()

    @property
    def seconds(self):
        return time.monotonic() - self.start
