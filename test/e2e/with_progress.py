#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/with-progress: one line that changes on a terminal, few lines elsewhere, the end of the log when a command
fails, and its status."""

import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "with-progress"
BUILD = "for i in $(seq 100); do echo \"[$i/100] Building $i\"; done; echo warned >&2"


class WithProgress(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="memshape-progress-")))
        self.log = self.folder / "made" / "build.log"

    def command(self, shell):
        return [str(SCRIPT), "test: building", str(self.log), "sh", "-c", shell]

    def run_in_pipes(self, shell):
        return subprocess.run(self.command(shell), capture_output=True, text=True, timeout=60)

    def test_without_a_terminal_the_output_goes_to_the_log(self):
        done = self.run_in_pipes(BUILD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, rf"\Atest: building: output in {self.log}\ntest: building: done in \d+ s\n\Z")
        self.assertEqual(self.log.read_text().splitlines()[-2:], ["[100/100] Building 100", "warned"])

    def test_a_failure_shows_the_end_of_the_log_and_keeps_the_status(self):
        done = self.run_in_pipes("seq 100; exit 7")
        self.assertEqual(done.returncode, 7)
        said, *shown = done.stderr.splitlines()
        self.assertRegex(said, rf"\Atest: building: failed with status 7 after \d+ s; the last lines of {self.log}:\Z")
        self.assertEqual(shown, [str(number) for number in range(81, 101)])

    def test_a_terminal_has_one_line_that_changes(self):
        master, slave = pty.openpty()
        seen = self.folder / "seen"  # the build ends when its progress was read
        process = subprocess.Popen(self.command(f"{BUILD}; until [ -e {seen} ]; do sleep 0.05; done"), stdin=slave, stdout=slave, stderr=slave,
                                   env={**os.environ, "TERM": "xterm"})
        os.close(slave)
        screen = b""
        try:
            while part := os.read(master, 65536):
                screen += part
                if b"100 of 100" in screen:
                    seen.touch()
        except OSError:  # the terminal is closed
            pass
        os.close(master)
        self.assertEqual(process.wait(60), 0)
        lines = screen.decode().split("\r\033[K")
        self.assertRegex(lines[1], r"\Atest: building: 100 of 100, \d+ s\Z")
        self.assertRegex(lines[-1], r"\Atest: building: done in \d+ s\r\n\Z")
        self.assertEqual(screen.count(b"\n"), 1)

    def test_wrong_use_is_said(self):
        done = subprocess.run([str(SCRIPT), "test: building"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))


if __name__ == "__main__":
    unittest.main()
