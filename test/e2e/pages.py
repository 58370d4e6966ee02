#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Manual pages have every option of --help and no warnings; bash and fish offer what can stand next, zsh reads its file."""

import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from toolchain import BIN, SETUP, run_tests
from toolchain import ran as run


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.share = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="memshape-pages-")))
        run(SETUP.bin / "memshape", "--write-pages", cls.share, check=True)
        cls.pages = sorted((cls.share / "man" / "man1").iterdir())

    def commands(self):
        """Words of every command."""
        found = [[]]
        for command in found:
            listed = run(SETUP.bin / "memshape", *command, "--help").stdout.partition("Subcommands:")[2]
            found += [command + [name] for name in re.findall(r"^  (\w+)", listed, re.M)]
        return found

    def test_every_command_has_a_page_with_its_options(self):
        for command in self.commands():
            page = (self.share / "man" / "man1" / "-".join(["memshape", *command])).with_suffix(".1").read_text()
            options = re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(SETUP.bin / "memshape", *command, "--help").stdout, re.M)
            self.assertIn("--help", options)
            for option in options:
                self.assertRegex(page, rf"Fl {option[1:]}\b", f"{command}: {option}")

    def test_pages_have_no_warnings(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        for page in self.pages:
            self.assertEqual(run("mandoc", "-T", "lint", "-W", "warning", page).stdout, "", page.name)

    def test_the_same_pages_each_time(self):
        with tempfile.TemporaryDirectory() as again:
            run(SETUP.bin / "memshape", "--write-pages", again, check=True)
            for file in self.share.rglob("*"):
                if file.is_file():
                    self.assertEqual(file.read_bytes(), (Path(again) / file.relative_to(self.share)).read_bytes())

    def offered_by_bash(self, *words, **options):
        """What bash would offer for the last of Words."""
        script = f"""source {self.share}/bash-completion/completions/{words[0]}
                     compopt() {{ echo "default: $*"; }}
                     COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                     $(complete -p {words[0]} | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
                     printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = run("bash", "-c", script, "bash", *words, **options)
        self.assertEqual(done.stderr, "")
        return [word for word in done.stdout.split("\n") if word]

    def test_bash(self):
        self.assertIn("predict", self.offered_by_bash("memshape", ""))
        self.assertEqual(self.offered_by_bash("memshape", "pred"), ["predict"])
        self.assertIn("--shape", self.offered_by_bash("memshape", "predict", "a.so", "--sh"))
        self.assertNotIn("--shape", self.offered_by_bash("memshape", "config", "--"))
        self.assertEqual(self.offered_by_bash("memshape", "report", "--format", "h"), ["html"])
        self.assertEqual(self.offered_by_bash("memshape", "report", "--format", "=", "j"), ["json"])
        self.assertEqual(self.offered_by_bash("memshape", "predict", "--store", ""), ["default: -o default"])
        self.assertEqual(self.offered_by_bash("memshape", "predict", "--operator", ""), [])
        self.assertEqual(self.offered_by_bash("memshape", "predict", ""), ["default: -o default"])
        self.assertEqual(self.offered_by_bash("memshape", "run", "--", "pro"), ["default: -o default"])
        self.assertIn("--format", self.offered_by_bash("memshape-report", "--f"))

    def test_bash_offers_shape_symbols_of_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "memshape"
            program.write_text('#!/bin/sh\n[ "$1 $2" = "--shape-symbols job.o" ] && printf "a.cols\\na.rows\\nns\\n"\n')
            program.chmod(0o755)
            (Path(folder) / "job.o").touch()

            def offered(*words):
                return self.offered_by_bash("memshape", *words, cwd=folder, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})

            after = "default: -o nospace"
            self.assertEqual(offered("predict", "job.o", "--shape", ""), [after, "a.cols=", "a.rows=", "ns="])
            self.assertEqual(offered("predict", "job.o", "--shape", "a."), [after, "a.cols=", "a.rows="])
            # Bash breaks a.rows=4,n at the sign.
            self.assertEqual(offered("predict", "job.o", "--shape", "a.rows", "=", "4,n"), [after, "4,ns="])
            self.assertEqual(offered("plan", "job.o", "--shape", "=", "n"), [after, "ns="])
            self.assertEqual(offered("predict", "job.o", "--shape", "=", "a.rows", "=", "4,n"), [after, "4,ns="])
            self.assertEqual(offered("predict", "job.o", "--shape", "ns", "=", "4"), [])
            self.assertEqual(offered("predict", "other.o", "--shape", "n"), [after])
            self.assertEqual(offered("predict", "job.o", "--shape", "ns", "=", "4", "--js"), ["--json"])

    def test_fish(self):
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")

        def offered(line):
            file = self.share / "fish" / "vendor_completions.d" / "memshape.fish"
            done = run("fish", "--no-config", "-c", f"source {file}; complete -C'{line}'", cwd=self.share)
            self.assertEqual(done.stderr, "")
            return [word.split("\t")[0] for word in done.stdout.split("\n")]

        self.assertIn("predict", offered("memshape "))
        self.assertIn("--shape", offered("memshape predict --sh"))
        self.assertNotIn("--shape", offered("memshape config --"))
        self.assertIn("html", offered("memshape report --format "))

    def test_zsh_reads_its_file(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        for file in (self.share / "zsh" / "site-functions").iterdir():
            done = run("zsh", "-f", "-c", f"autoload -Uz compinit; fpath=({file.parent} $fpath); compinit -D -u; "
                                          f"(( $+_comps[{file.name[1:]}] )) && print -r -- $_comps[{file.name[1:]}]; zsh -n {file}")
            self.assertEqual((done.stdout.strip(), done.stderr), (file.name, ""))


if __name__ == "__main__":
    run_tests(__doc__, bin=BIN)
