#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that have to do with little: what they do and how they end is the same under memshape run."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from measured import SETUP, RunTest, main, program, read

SHAPES = "3000"  # the record grows more than once for them
KIB, MIB = 1 << 10, 1 << 20


class Limits(RunTest):
    def alone(self, *words, **more):
        return subprocess.run([program("limited"), *words], capture_output=True, text=True, timeout=60, **more)

    def counted(self, *words, preexec=None):
        """A program with the runtime in it, as memshape run starts it; that command itself is under no limit."""
        environment = {**os.environ, "LD_PRELOAD": SETUP.runtime, "MEMSHAPE_RUNTIME_RECORD": self.path("record")}
        return self.alone(*words, env=environment, preexec_fn=preexec)

    def check_same(self, *words, preexec=None):
        for name in os.listdir(self.folder):
            os.unlink(self.path(name))
        alone, counted = self.alone(*words, preexec_fn=preexec), self.counted(*words, preexec=preexec)
        self.assertEqual((counted.returncode, counted.stdout, counted.stderr), (alone.returncode, alone.stdout, alone.stderr))

    def every_limit(self):
        """(number, value): those that let a program start."""
        several = {resource.RLIMIT_FSIZE: (0, 1000, 100 * KIB, 600 * KIB, 700 * KIB, 4 * MIB), resource.RLIMIT_AS: (100 * MIB, 2 << 30),
                   resource.RLIMIT_DATA: (64 * MIB, 2 << 30), resource.RLIMIT_STACK: (32 * KIB, 128 * KIB, 16 * MIB),
                   resource.RLIMIT_NOFILE: (4, 5), resource.RLIMIT_CPU: (100,), getattr(resource, "RLIMIT_RTTIME", None): (1000000,)}
        for number in sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}):
            _, most = resource.getrlimit(number)  # of this process
            for value in several.get(number, (0, 1, 4096)):
                if most == resource.RLIM_INFINITY or value <= most:
                    yield number, value

    def test_every_limit_that_is_set_from_outside(self):
        for number, value in self.every_limit():
            with self.subTest(limit=number, value=value):
                self.check_same(SHAPES, preexec=lambda: resource.setrlimit(number, (value, value)))

    def test_every_limit_that_a_program_sets_itself(self):
        for number, value in self.every_limit():
            with self.subTest(limit=number, value=value):
                self.check_same(SHAPES, str(number), str(value))

    def test_no_signal_for_a_large_file_comes_from_the_runtime_and_none_is_lost(self):
        for how, said in (("handled", f"{SHAPES} 0 1\n"), ("waiting", f"{SHAPES} 25 -1\n"), ("changing", f"{SHAPES}\n")):
            with self.subTest(how=how):
                self.assertEqual(self.counted(SHAPES, how).stdout, said)
                self.check_same(SHAPES, how)

    def test_a_cancelled_thread_ends_where_it_would_without(self):
        self.check_same(SHAPES, "cancelled")

    def test_memory_that_stays_where_it_is(self):
        """mlockall takes what the runtime has reserved, too, but no more than that is used."""
        source, out = self.path("locked.c"), self.path("locked")
        with open(source, "w") as stream:
            stream.write("#include <stdio.h>\n#include <stdlib.h>\n#include <sys/mman.h>\n"
                         "int main(void) { int done = mlockall(MCL_CURRENT | MCL_FUTURE); free(malloc(5000));\n"
                         "  printf(\"%d\\n\", done); return 0; }\n")
        subprocess.run(["cc", source, "-o", out], check=True, timeout=60)
        alone = subprocess.run([out], capture_output=True, text=True, timeout=60)
        done, run = self.measure(out)
        self.assertEqual((done.returncode, done.stdout), (alone.returncode, alone.stdout))

    def test_under_a_limit_of_addresses_nothing_is_counted(self):
        out = self.path("run.json")
        done = self.run_tool(["--json", out], ["sh", "-c", 'ulimit -v 200000; exec "$0" 10', program("limited")])
        self.assertEqual((done.returncode, done.stdout), (0, "10\n"))
        run = read(out)
        self.assertEqual(self.calls(run, "work"), [])
        _, run = self.measure("sh", "-c", 'ulimit -v 2000000; exec "$0" 10', program("limited"))
        self.assertEqual(len(self.calls(run, "work")), 10)


    def test_memshape_itself_needs_little_stack(self):
        out = self.path("run.json")
        for kibibytes in (128, 64):
            done = subprocess.run(["sh", "-c", f'ulimit -s {kibibytes}; exec "$0" run --json "$1" -- "$2" 3', SETUP.memshape, out,
                                   program("plain")], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "2 3 0\n", ""))
            self.assertEqual(read(out)["process"]["heap"]["peak_bytes"], 3000)


    def test_memshape_itself_says_that_a_file_would_be_too_large(self):
        out = self.path("run.html")
        done = subprocess.run(["sh", "-c", 'ulimit -f 1; exec "$0" run --json - --html "$1" -- "$2" 3', SETUP.memshape, out, program("plain")],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout[:6], os.listdir(self.folder)), (2, "2 3 0\n", []))
        self.assertRegex(done.stderr, r"^memshape: cannot write '.*': File too large\n$")

    def test_a_program_is_given_the_signals_that_memshape_was_given(self):
        # Of 64 signals the first 31: the C library uses the others itself, and ignores them in what it spawns.
        shows = ["grep", "SigIgn", "/proc/self/status"]
        for ignored in ((), (signal.SIGPIPE,), (signal.SIGXFSZ,), (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGUSR1)):
            def ignore():
                for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGUSR1):
                    signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
            more = dict(capture_output=True, text=True, timeout=60, restore_signals=False, preexec_fn=ignore)
            seen = [int(subprocess.run([*before, *shows], **more).stdout.split()[-1], 16) & 0x7fffffff
                    for before in ([], [SETUP.memshape, "run", "--"])]
            self.assertEqual(seen[0], seen[1], ignored)


class Places(RunTest):
    """Of records: full, missing or left over."""

    def in_own_place(self, script, *words):
        """The script runs where mounts are its own."""
        if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
            self.skipTest("needs the right to mount")
        return subprocess.run(["unshare", "-m", "sh", "-ec", script, *words], capture_output=True, text=True, timeout=60)

    def test_a_full_memory_for_records_is_no_end(self):
        for size in (4 * KIB, 64 * KIB, 700 * KIB):
            done = self.in_own_place('mount -t tmpfs -o size=$0 none /dev/shm; shift 0; exec "$@"', str(size), SETUP.driver, SETUP.runtime,
                                     "--", program("limited"), SHAPES)
            self.assertEqual((done.returncode, done.stdout), (0, SHAPES + "\n"), size)

    def test_without_proc_a_program_with_the_runtime_runs(self):
        done = self.in_own_place('umount -l /proc; export LD_PRELOAD="$0" MEMSHAPE_RUNTIME_RECORD="$1"; exec "$2" 3000',
                                 SETUP.runtime, self.path("record"), program("limited"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "3000\n", ""))
        self.assertTrue(os.path.exists(self.path("record")))

    def left_over(self):
        return {name for name in os.listdir("/dev/shm") if name.startswith("memshape-run-")}

    def test_what_a_killed_run_has_left_goes_with_the_next_one(self):
        before = self.left_over()
        started = subprocess.Popen([SETUP.driver, SETUP.runtime, "--", program("growing"), "5", "100", "0", "forever"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.assertEqual(started.stdout.readline(), "grown\n")
        with open(f"/proc/{started.pid}/task/{started.pid}/children") as stream:
            child = int(stream.read().split()[0])
        started.kill()
        started.wait(60)
        started.stdout.close()
        mine = self.left_over() - before
        self.assertEqual(len(mine), 1)
        self.run_tool([], [program("plain")])
        self.assertLessEqual(mine, self.left_over())  # the program still counts there
        os.kill(child, signal.SIGKILL)
        for _ in range(100):
            self.run_tool([], [program("plain")])
            if not mine & self.left_over():
                break
            time.sleep(0.1)
        self.assertFalse(mine & self.left_over())

    def test_of_very_many_shapes_those_with_the_highest_peaks_are_listed(self):
        out = self.path("run.json")
        done, run = self.measure(program("limited"), "12000")
        self.assertEqual(len(run["calls"]), 10000)
        self.assertEqual(run["calls"][0]["shape"], {"n": 2001})
        self.assertIn("of 12,000 operators and shapes the 10,000 with the highest peaks are listed", " ".join(run["notes"]))
        page = self.run_tool([], [program("limited"), "12000"]).stderr
        self.assertIn("and 11,997 more operators and shapes, with lower peaks: --full shows them, --json lists them", page)
        self.assertIn("(12,000 calls, 12,000 shapes)", page)
        self.assertLess(len(page.splitlines()), 60)
        page = self.run_tool(["--full"], [program("limited"), "12000"]).stderr
        self.assertIn("and 11,900 more operators and shapes, with lower peaks: --json lists them", page)
        self.assertLess(len(page), 100000)

    def test_a_file_that_a_program_leaves_beside_its_record_holds_nobody_up(self):
        script = 'for i in 1 2; do mkfifo "$MEMSHAPE_RUNTIME_RECORD.$i"; ln -s /dev/zero "$MEMSHAPE_RUNTIME_RECORD.0$i"; done'
        done = self.run_tool([], ["sh", "-c", script])
        self.assertEqual(done.returncode, 0)
        self.assertIn("4 processes left no readable record", done.stderr)


class OtherLibraries(RunTest):
    @unittest.skipUnless(shutil.which("musl-gcc"), "needs musl")
    def test_programs_of_another_c_library_start_and_are_named(self):
        source, out = self.path("other.c"), self.path("other")
        with open(source, "w") as stream:
            stream.write("#include <stdlib.h>\nint main(void) { free(malloc(100)); return 4; }\n")
        subprocess.run(["musl-gcc", source, "-o", out], check=True, timeout=60)
        done = self.run_tool([], [out])
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("its C library is another one than the runtime's: it is loaded by /lib/ld-musl", done.stderr)
        self.assertNotIn("Error", done.stderr)
        done = self.run_tool([], ["sh", "-c", f"{out}; exit $?"])
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertNotIn("Error", done.stderr)


class Names(RunTest):
    def test_what_a_program_calls_itself_and_its_arguments_stay_on_their_line(self):
        """Escape sequences, new lines, C1, a turned direction and bytes that are no UTF-8."""
        wild = os.fsdecode(b"a\x1b[31m\nb\xff\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8c")
        out = self.path(wild)
        shutil.copy(program("limited"), out)
        words = [os.fsencode(word) for word in (SETUP.driver, SETUP.runtime, "--", out, "3", "plain", wild)]
        done = subprocess.run(words, capture_output=True, timeout=60)
        said = done.stderr.decode()  # valid UTF-8
        for character in "\x1b\x9b\u202e\u2066\u2028\x7f":
            self.assertNotIn(character, said)
        self.assertIn("a [31m b?    c", said.splitlines()[0])
        words[2:2] = [b"--json", b"-"]
        text = subprocess.run(words, capture_output=True, timeout=60).stdout.decode()
        for character in "\x1b\x9b\u202e\u2066\u2028":
            self.assertNotIn(character, text)
        self.assertEqual(json.loads(text[text.index("{"):])["command"][-1], wild.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        page = self.path("run.html")
        subprocess.run([SETUP.memshape, "run", "--html", page, "--", out, "3", "plain", wild], capture_output=True, check=True, timeout=60)
        with open(page, encoding="utf-8") as stream:
            shown = stream.read()
        for character in "\x1b\x9b\u202e\u2066\u2028":
            self.assertNotIn(character, shown)
        self.assertIn("a\ufffd[31m&#10;b\ufffd\ufffd\ufffd\ufffd\ufffdc", shown)


if __name__ == "__main__":
    main()
