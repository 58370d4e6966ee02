# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of memshape run share: where things are, and a run whose figures come back as JSON."""
import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SETUP = argparse.Namespace()


def program(name):
    return os.path.join(SETUP.programs, name)


def read(path):
    """The JSON of a file."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="memshape-e2e-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_tool(self, options, command, runtime=None, **more):
        words = [SETUP.driver, runtime or SETUP.runtime, *options, "--", *command]
        return subprocess.run(words, capture_output=True, text=True, timeout=120, **more)

    def measure(self, *command, options=(), **more):
        out = self.path("run.json")
        done = self.run_tool([*options, "--json", out], command, **more)
        self.assertEqual(done.stderr, "")
        return done, read(out)

    def calls(self, run, operator):
        return [c for c in run["calls"] if c["operator"] == operator]

    def one(self, run, operator):
        found = self.calls(run, operator)
        self.assertEqual(len(found), 1, operator)
        return found[0]

    def check_heap(self, heap, **expected):
        self.assertEqual({k: heap[k] for k in expected}, expected)


def kill_children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as stream:
        for child in stream.read().split():
            os.kill(int(child), signal.SIGKILL)


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(words=None):
    parser = argparse.ArgumentParser()
    for option in ("driver", "runtime", "programs"):
        parser.add_argument("--" + option, required=True, type=os.path.abspath)
    parser.add_argument("--memshape", type=os.path.abspath, help="the whole command")
    parser.add_argument("--examples", type=os.path.abspath, default="examples")
    parser.add_argument("--rounds", type=int, default=0, help="of each storm; 0 for the few of the suite")
    _, rest = parser.parse_known_args(words, namespace=SETUP)
    unittest.main(argv=[sys.argv[0], *rest], module="__main__")
