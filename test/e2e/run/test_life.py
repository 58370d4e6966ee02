#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How programs end under memshape run, and what is known of their last moment."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from measured import SETUP, RunTest, main, no_core, program, read


class Endings(RunTest):
    def test_a_run_says_how_its_program_ended(self):
        for how, ending in (("return", "exit"), ("exit", "exit"), ("_exit", "_exit"), ("quick_exit", "_exit"),
                            ("abort", "signal"), ("kill", "signal"), ("segv", "signal")):
            _, run = self.measure(program("deaths"), how, preexec_fn=no_core)
            self.assertEqual(run["process"]["ending"], ending, how)
            self.assertIsNone(run["out_of_memory"])

    def test_children_tell_their_ends_themselves(self):
        _, run = self.measure(program("children"))
        endings = {c["shape"]["n"]: [p["ending"] for p in run["children"] if p["pid"] == c["pid"]]
                   for c in self.calls(run, "child")}
        self.assertEqual(endings, {1: ["exit"], 2: ["_exit"], 3: ["abort"], 4: ["unknown"], 7: ["exit"],
                                   5: ["exec", "exit"], 6: ["exec", "exit"]})  # one process, two programs

    def test_what_was_live_when_it_was_killed_is_known_by_site(self):
        for how in ("kill", "abort", "segv", "_exit"):
            _, run = self.measure(program("deaths"), how, preexec_fn=no_core)
            held = {os.path.basename(s.get("library") or ""): s["bytes"] for s in run["process"]["live_sites"]}
            self.assertEqual(held["deaths"], 77)
            self.assertEqual(sum(held.values()), run["process"]["heap"]["output_bytes"])
            self.assertEqual([(c["operator"], c["shape"], c["live_bytes"]) for c in run["process"]["in_flight"]],
                             [("dying", {"n": 1}, 77)])

    def test_the_page_of_a_killed_program_names_its_last_moment(self):
        done = self.run_tool([], [program("deaths"), "kill"])
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        for text in ("killed by signal 9", "live at that moment", "in flight: dying  n=1"):
            self.assertIn(text, done.stderr)
        self.assertNotIn("live at that moment", self.run_tool([], [program("deaths"), "exit"]).stderr)

    def group_of_64_mib(self):
        """A control group of that much memory, of either version; None where nobody may make one."""
        for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            group = os.path.join(root, f"memshape-test-{os.getpid()}")
            try:
                os.mkdir(group)
            except OSError:
                continue
            self.addCleanup(remove_group, group)
            try:
                with open(os.path.join(group, limit), "w") as stream:
                    stream.write(str(64 << 20))
                return group
            except OSError:
                continue
        return None

    def test_a_program_that_ran_out_of_memory_leaves_its_sites(self):
        group = self.group_of_64_mib()
        if not group:
            self.skipTest("needs the right to make a control group")
        out = self.path("run.json")
        done = subprocess.run(["sh", "-c", 'echo $$ > "$0" && shift && exec "$@"', os.path.join(group, "cgroup.procs"), "-",
                               SETUP.driver, SETUP.runtime, "--json", out, "--", program("deaths"), "eat"],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGKILL, ""))
        run = read(out)
        self.assertIn(run["out_of_memory"], ("cgroup", "system"))
        held = {os.path.basename(s["file"]): s["bytes"] for s in run["process"]["live_sites"] if s["file"]}
        self.assertGreater(held["deaths.c"], 48 << 20)
        self.assertEqual(run["process"]["in_flight"][0]["operator"], "dying")

    def test_children_made_without_fork_do_not_count_into_their_parents_record(self):
        _, run = self.measure(program("children"), "unannounced")
        self.assertEqual(run["exit_status"], 0)
        call = self.one(run, "child")
        self.assertEqual((call["shape"], call["calls"], run["process"]["heap"]["peak_bytes"]), ({"n": 100}, 2, 100))
        self.assertEqual(len(run["notes"]), 2)
        self.assertIn("it was made by the system call itself", run["notes"][0])

    def test_a_failed_exec_leaves_the_program_running(self):
        _, run = self.measure(program("children"), "failing")
        self.assertEqual((run["exit_status"], run["process"]["ending"]), (0, "exit"))


class Beside(RunTest):
    """Programs that load no runtime, or have something else in malloc's place."""

    def noted(self, *command, status=0):
        out = self.path("run.json")
        done = self.run_tool(["--json", out], command)
        self.assertEqual(done.returncode, status, command)
        run = read(out)
        return done, run, " ".join(run["notes"])

    @unittest.skipUnless(os.path.exists("/usr/bin/valgrind"), "needs valgrind")
    def test_valgrind_starts_and_says_how_to_be_counted(self):
        done, run, notes = self.noted("valgrind", "-q", program("plain"))
        self.assertEqual(done.stdout, "1 3 0\n")
        self.assertIn("(plain) was not counted: valgrind puts its own malloc", notes)
        _, run, notes = self.noted("valgrind", "-q", "--soname-synonyms=somalloc=nouserintercepts", program("plain"))
        self.assertEqual(notes, "")
        self.assertEqual(run["process"]["heap"]["peak_bytes"], 3000)

    def test_debuggers_and_profilers_start(self):
        for command in (["gdb", "-q", "-batch", "-ex", "run"], ["strace", "-o", "/dev/null"], ["perf", "stat"],
                        ["nice"], ["env"], ["timeout", "20"]):
            if not shutil.which(command[0]):
                continue
            done, run, _ = self.noted(*command, program("plain"))
            peaks = [p["heap"]["peak_bytes"] for p in [run["process"], *run["children"]]
                     if os.path.basename(p["program"]) == "plain"]
            self.assertEqual(peaks, [3000], command)

    def test_an_executable_with_its_own_malloc_is_named(self):
        done, run, notes = self.noted(program("own_malloc"))
        self.assertEqual((done.stdout, run["process"]), ("ok\n", None))
        self.assertIn("(own_malloc) was not counted: the executable brings a malloc of its own", notes)

    def test_an_executable_that_takes_the_address_of_malloc_is_counted(self):
        """Not position independent, as interpreters of Python are: malloc's address is then one in the executable."""
        source, out = self.path("address.c"), self.path("address")
        with open(source, "w") as stream:
            stream.write("#include <stdlib.h>\nvoid *(*volatile get)(size_t) = malloc;\n"
                         "int main(void) { char *volatile block = get(4321); block[0] = 0; free(block); return 0; }\n")
        subprocess.run(["cc", "-O0", "-no-pie", "-fno-pie", source, "-o", out], check=True, timeout=60)
        _, run, notes = self.noted(out)
        self.assertEqual((run["process"]["heap"]["peak_bytes"], notes), (4321, ""))

    def need_static_libc(self):
        if not os.path.exists(program("plain_static")):
            self.skipTest("needs libc.a")

    def compiled(self, compiler, *flags):
        out = self.path("sanitized")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs", "plain.c")
        done = subprocess.run([compiler, *flags, "-O0", source, "-o", out], capture_output=True, timeout=60)
        return out if done.returncode == 0 else None

    def test_sanitized_programs_start(self):
        for compiler in ("gcc", "clang"):
            for sanitizer in ("address", "thread", "leak", "undefined"):
                out = shutil.which(compiler) and self.compiled(compiler, "-fsanitize=" + sanitizer)
                if not out:
                    continue
                done, run, notes = self.noted(out)
                self.assertEqual(done.stdout.replace("\n", ""), "1 3 0")
                if run["process"]:  # the sanitizer is a library, below us
                    self.assertEqual((run["process"]["heap"]["total_bytes"] % 72704, notes), (3000, ""))
                else:
                    self.assertIn("brings a malloc of its own", notes)

    def test_a_static_program_with_the_runtime_is_counted(self):
        self.need_static_libc()
        _, run = self.measure(program("families_wrapped"))
        family = self.one(run, "family")["heap"]
        page = os.sysconf("SC_PAGESIZE")
        self.check_heap(family, peak_bytes=629 + page, allocations=10, reallocations=2, output_bytes=50)
        _, run = self.measure(program("deaths_wrapped"), "kill")
        self.assertEqual(run["process"]["in_flight"][0]["operator"], "dying")
        alone = subprocess.run([program("families_wrapped")], capture_output=True, text=True, timeout=60)
        self.assertEqual((alone.stdout, alone.stderr, alone.returncode), ("ok\n", "", 0))

    def test_a_static_program_without_it_is_named(self):
        self.need_static_libc()
        done, run, notes = self.noted(program("plain_static"), "7", status=7)
        self.assertIn("it is statically linked and loads no libraries", notes)
        self.assertEqual(run["calls"], [])


def remove_group(group):
    for _ in range(50):  # its last process may still be on its way out
        try:
            return os.rmdir(group)
        except OSError:
            time.sleep(0.1)


class Declared(RunTest):
    def phases(self, process):
        return {p["phase"]: p for p in process["phases"]}

    def test_every_phase_has_a_peak_of_its_own(self):
        _, run = self.measure(program("phases"))
        found = self.phases(run["process"])
        figures = {name: (p["times"], p["heap"]["peak_bytes"], p["heap"]["process_peak_bytes"], p["heap"]["total_bytes"],
                          p["heap"]["output_bytes"]) for name, p in found.items()}
        self.assertEqual(figures, {"load": (1, 5000, 5000, 5000, 5000), "solve": (1, 3000, 8000, 6000, 0),
                                   "step": (3, 3000, 8000, 3000, 0), "rest": (1, 7, 5007, 7, -4993)})
        self.assertEqual([c["operator"] for c in run["calls"]], ["work"])
        self.assertEqual(len(run["each_call"]), 1)

    def test_tests_and_benchmarks_ask_what_calls_take(self):
        out = self.path("benchmark.json")
        done = self.run_tool(["--json", self.path("run.json")], [program("tested"), f"--benchmark_out={out}", "--benchmark_min_time=0.01"])
        failed = [line for line in done.stdout.splitlines() if line.startswith("[  FAILED  ] Taken.")]
        self.assertEqual(set(failed[-1:]), {"[  FAILED  ] Taken.IsSaidWhereItIsMore"}, done.stdout)
        self.assertIn("Expected: takes at most 999 bytes", done.stdout)
        self.assertIn("which takes 1000 bytes", done.stdout)
        result, = read(out)["benchmarks"]
        self.assertTrue(2 <= result["allocs_per_iter"] < 2.1, result)
        self.assertTrue(3040 <= result["max_bytes_used"] < 3600, result)  # and what the benchmark needs itself
        plain = subprocess.run([program("tested"), "--benchmark_min_time=0.01"], capture_output=True, text=True)
        self.assertIn("nothing counts allocations here", plain.stdout)
        self.assertIn("twoBlocks", plain.stdout)

    def test_pools_are_counted_beside_the_heap_and_not_twice(self):
        _, run = self.measure(program("phases"))
        self.assertEqual(run["process"]["pools"], [
            dict(pool="cells", peak_bytes=480, live_bytes=0, held_bytes=0, held_peak_bytes=1000, total_bytes=490,
                 allocations=11, frees=11)])
        work = self.one(run, "work")
        self.check_heap(work["heap"], peak_bytes=1000, total_bytes=1000, allocations=1)
        self.check_heap(work["spaces"]["pool"], peak_bytes=480, total_bytes=490, allocations=11, output_bytes=0)
        site, = [s for s in work["sites"] if s["space"] == "pool"]
        self.assertEqual((os.path.basename(site["file"]), site["bytes_at_peak"]), ("phases.c", 480))

    def test_the_example_shows_how_full_its_arena_is(self):
        if not os.path.exists(example := os.path.join(SETUP.examples, "arena_gather")):
            self.skipTest("needs the examples")
        _, run = self.measure(example, "5000", "20", "30")
        pool, = run["process"]["pools"]
        nodes = 5000 * 24
        self.assertEqual((pool["pool"], pool["peak_bytes"], pool["live_bytes"], pool["allocations"]),
                         ("gather lists", nodes, 0, 2 * 5000))
        self.assertEqual(pool["held_peak_bytes"], 2 * 65536)
        self.assertEqual({p["phase"]: p["times"] for p in run["process"]["phases"]}, {"sort": 2, "stack": 2})
        call = self.one(run, "stack_gathers")
        self.check_heap(call["spaces"]["pool"], peak_bytes=nodes, output_bytes=0)
        # Annotations are not in the way of a prediction.
        done = subprocess.run([SETUP.memshape, "predict", example, "--shape", "nt=5000,ns=20,ng=30", "--json"],
                              capture_output=True, text=True, timeout=60)
        predicted = json.loads(done.stdout)
        self.assertTrue(predicted["heap"]["exact"], predicted["notes"])
        self.assertEqual(predicted["heap"]["peak_bytes"], call["heap"]["peak_bytes"])

    def test_a_child_goes_on_with_the_open_phases(self):
        _, run = self.measure(program("phases"), "fork")
        child, = run["children"]
        self.assertEqual(self.phases(child)["rest"]["heap"]["peak_bytes"], 70)
        self.assertEqual(self.phases(run["process"])["rest"]["heap"]["peak_bytes"], 7)

    def test_open_phases_of_an_aborted_program_are_in_flight(self):
        _, run = self.measure(program("phases"), "abort", preexec_fn=no_core)
        flying, = run["process"]["in_flight"]
        self.assertEqual((flying["phase"], flying["live_bytes"]), ("rest", 7))

    def test_the_page_shows_phases_and_pools(self):
        page = self.run_tool([], [program("phases")]).stderr
        for text in ("phase step  (3 times)", "process peak", "pool cells", "held at most", "left behind"):
            self.assertIn(text, page)

    def test_annotations_without_the_runtime_do_nothing(self):
        done = subprocess.run([program("phases")], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    main()
