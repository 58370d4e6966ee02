#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape run on small programs whose memory is known by hand."""
import json
import os
import shutil
import signal
import subprocess
import time

from measured import SETUP, RunTest, kill_children, main, no_core, program, read

PAGE = os.sysconf("SC_PAGESIZE")


class Counting(RunTest):
    FAMILY = dict(peak_bytes=629 + PAGE, total_bytes=100 + 200 + 1000 + 50 + 40 + 128 + 10 + 70 + 30 + PAGE + 101 + 0,
                  allocations=10, reallocations=2, output_bytes=50)

    def test_every_function_of_the_family(self):
        done, run = self.measure(program("families"))
        self.assertEqual(done.stdout, "ok\n")
        call = self.one(run, "family")
        self.assertEqual(call["calls"], 2)
        self.check_heap(call["heap"], one_time_bytes=0, exact=True, **self.FAMILY)
        self.check_heap(call["first"], **self.FAMILY)
        self.assertEqual(sum(s["bytes_at_peak"] for s in call["sites"]), call["heap"]["peak_bytes"])
        self.assertEqual([e["heap"]["peak_bytes"] for e in run["each_call"]], [629 + PAGE] * 2)

    def test_libraries_are_named_where_the_site_is_not(self):
        _, run = self.measure(program("families"))
        sites = self.one(run, "family")["sites"]
        by_library = {os.path.basename(s["library"]): s["bytes_at_peak"] for s in sites if s.get("library")}
        self.assertEqual(by_library["libc.so.6"], 101)  # strdup
        self.assertIn("families", by_library)

    def test_containers_threads_and_exceptions(self):
        done, run = self.measure(program("containers"))
        self.assertEqual(done.stdout, "2\ncaught 5000\n" * 2 + "100\n")
        self.check_heap(self.one(run, "growing")["heap"], peak_bytes=24000, total_bytes=24000 + 1024, allocations=3,
                        output_bytes=0)
        throwing = self.one(run, "throwing")
        self.assertEqual(throwing["calls"], 2)
        self.assertGreaterEqual(throwing["heap"]["peak_bytes"], 5000)  # and the exception object
        self.assertLess(throwing["heap"]["peak_bytes"], 5000 + 1024)
        parallel = self.one(run, "parallel")["heap"]
        self.assertGreaterEqual(parallel["peak_bytes"], 2 << 20)
        self.assertLess(parallel["peak_bytes"], (2 << 20) + 4096)

    def test_a_program_without_operators_is_measured_as_a_whole(self):
        done, run = self.measure(program("plain"), "7")
        self.assertEqual((done.returncode, run["exit_status"]), (7, 7))
        call = self.one(run, "(process)")
        self.check_heap(call["heap"], peak_bytes=3000, total_bytes=3000, allocations=2, reallocations=0,
                        output_bytes=0)
        self.assertGreater(call["rss"]["peak_bytes"], 100000)
        self.assertIn("no operator was called", self.run_tool([], (program("plain"), "7")).stderr)

    def test_what_each_library_holds_is_known_on_request(self):
        plain = self.run_tool([], (program("keeps"),)).stderr
        self.assertIn("--libraries says which library holds what", plain)
        self.assertNotIn("what holds the heap", plain)
        said = self.run_tool(["--libraries"], (program("keeps"),)).stderr
        table = said[said.index("what holds the heap at the end"):]
        self.assertRegex(table, r"4\.88 KiB +99\.8 %  in keeps, not instrumented\n +10 B +0\.2 %  in libc\.so\.6, not instrumented\n")

    def test_the_program_sees_no_difference(self):
        for name in ("families", "containers", "plain", "families_of_processes"):
            alone = subprocess.run([program(name)], capture_output=True, text=True, timeout=60)
            done, _ = self.measure(program(name))
            self.assertEqual((done.stdout, done.returncode), (alone.stdout, alone.returncode), name)
            self.assertEqual(alone.stderr, "")

    def test_operators_in_signal_handlers(self):
        done, run = self.measure(program("interrupted"))
        self.assertEqual(done.stdout, "ok\n")
        work = self.one(run, "work")["heap"]
        self.check_heap(work, peak_bytes=1009, allocations=20000, total_bytes=sum(1000 + i % 10 for i in range(20000)),
                        output_bytes=0)


class Linked(RunTest):
    def test_a_linked_runtime_counts_when_told_to(self):
        for form in ("families_rt", "families_rt_static"):
            record = self.path(form)
            done = subprocess.run([program(form)], capture_output=True, text=True,
                                  env={**os.environ, "MEMSHAPE_RUNTIME_RECORD": record})
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("ok\n", "", 0))
            with open(record, "rb") as stream:
                self.assertEqual(stream.read(8), b"MEMSHRUN")

    def test_a_linked_runtime_is_off_otherwise(self):
        before = set(os.listdir(SETUP.programs))
        done = subprocess.run([program("families_rt")], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.stdout, done.returncode), ("ok\n", 0))
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(set(os.listdir(SETUP.programs)), before)

    def test_linked_and_preloaded_count_once(self):
        for form in ("families_rt", "families_rt_static"):
            _, run = self.measure(program(form))
            self.check_heap(self.one(run, "family")["heap"], **Counting.FAMILY)
            self.assertEqual(run["children"], [])

    def test_a_record_that_cannot_be_made_changes_nothing(self):
        done = subprocess.run([program("families_rt")], capture_output=True, text=True,
                              env={**os.environ, "MEMSHAPE_RUNTIME_RECORD": "/nonexistent/record"})
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("ok\n", "", 0))


class Ends(RunTest):
    def test_finished_calls_survive_every_end(self):
        for how, status, number in (("return", 5, None), ("exit", 3, None), ("_exit", 4, None),
                                    ("abort", 128 + signal.SIGABRT, signal.SIGABRT),
                                    ("kill", 128 + signal.SIGKILL, signal.SIGKILL),
                                    ("segv", 128 + signal.SIGSEGV, signal.SIGSEGV)):
            done, run = self.measure(program("deaths"), how, preexec_fn=no_core)
            self.assertEqual((done.returncode, run["exit_status"], run["signal"]), (status, status, number), how)
            finished = self.one(run, "finished")
            self.assertEqual(finished["calls"], 2)
            self.check_heap(finished["heap"], peak_bytes=1000, total_bytes=1000, allocations=1, output_bytes=0)
            self.assertGreater(run["process"]["heap"]["peak_bytes"], 1000)
            if how == "exit":
                self.assertEqual(self.one(run, "dying")["unfinished"], 1)

    def test_signals_reach_the_program(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            out = self.path("run.json")
            tool = subprocess.Popen([SETUP.driver, SETUP.runtime, "--json", out, "--", program("deaths"), "wait"],
                                    stdout=subprocess.PIPE, text=True)
            self.assertEqual(tool.stdout.readline(), "working\n")
            tool.send_signal(number)
            self.assertEqual(tool.wait(30), 128 + number)
            tool.stdout.close()
            self.assertEqual(read(out)["signal"], number)

    def test_many_kills_at_random_moments(self):
        for round_number in range(20):
            out = self.path("run.json")
            tool = subprocess.Popen([SETUP.driver, SETUP.runtime, "--json", out, "--", program("interrupted")],
                                    stdout=subprocess.DEVNULL, start_new_session=True)
            time.sleep(0.002 * round_number)
            kill_children(tool.pid)
            tool.wait(30)
            run = read(out)
            for call in self.calls(run, "work"):
                self.assertIn(call["heap"]["peak_bytes"], (0, 1009))


class Processes(RunTest):
    def test_every_process_keeps_its_own_record(self):
        done, run = self.measure(program("families_of_processes"))
        self.assertEqual(done.stdout, "ok\n")
        seen = sorted((c["shape"]["n"], c["heap"]["peak_bytes"]) for c in self.calls(run, "work"))
        sizes = [10] + [1000 + child for child in range(1, 21)] + [2000, 3000, 4000]
        self.assertEqual([n for n, _ in seen], sorted(sizes))
        self.assertEqual(len({c["pid"] for c in self.calls(run, "work")}), 23)
        for n, peak in seen:
            if n in (2000, 3000, 4000):  # no second thread beside them
                self.assertEqual(peak, n)
        self.assertEqual(len(run["children"]), 23)

    def test_a_program_behind_a_shell(self):
        done, run = self.measure("sh", "-c", 'exec "$0" 7', program("plain"))
        self.assertEqual((done.returncode, os.path.basename(run["process"]["program"])), (7, "plain"))
        self.assertEqual(run["process"]["heap"]["peak_bytes"], 3000)


class Asking(RunTest):
    def refused(self, options, command, text):
        before = sorted(os.listdir(self.folder))
        done = self.run_tool(options, command)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_wrong_requests(self):
        out = self.path("run.json")
        marker = self.path("ran")
        touch = ["touch", marker]
        self.refused(["--json", out], [], "no program")
        self.refused(["--json", out], ["/nonexistent/program"], "no such program")
        self.refused(["--json", out], ["no-such-program-anywhere"], "no such program")
        self.refused(["--json", out], ["/etc/passwd"], "not an executable")
        self.refused(["--json", "/nonexistent/run.json"], touch, "cannot write")
        self.refused(["--json", self.folder], touch, "cannot write")
        self.refused(["--record", "/nonexistent/store"], touch, "cannot write")
        self.assertFalse(os.path.exists(marker))

    def test_a_text_file_that_is_no_program(self):
        script = self.path("empty")
        with open(script, "wb") as stream:
            stream.write(b"\x00\x01")
        os.chmod(script, 0o755)
        self.refused(["--json", self.path("run.json")], [script], "cannot start")

    def test_the_page_leaves_standard_output_to_the_program(self):
        done = self.run_tool([], [program("families")])
        self.assertEqual(done.stdout, "ok\n")
        for text in ("family  n=1  (2 calls)", "4,725 B" if PAGE == 4096 else "family", "families.c:", "libc.so.6"):
            self.assertIn(text, done.stderr)

    def test_json_on_standard_output(self):
        done = self.run_tool(["--json", "-"], [program("plain")])
        first, rest = done.stdout.split("\n", 1)
        self.assertEqual(first, "1 3 0")
        self.assertEqual(json.loads(rest)["schema"], "memshape.run/1")

    def test_a_file_of_lines_grows_by_one_line_a_run(self):
        store = self.path("runs.jsonl")
        for _ in range(3):
            self.assertEqual(self.run_tool(["--record", store], [program("plain")]).returncode, 0)
        with open(store) as stream:
            runs = [json.loads(line) for line in stream]
        self.assertEqual([run["calls"][0]["heap"]["peak_bytes"] for run in runs], [3000] * 3)

    def test_a_runtime_under_a_path_with_blanks_and_colons(self):
        odd = self.path("a b:c")
        os.mkdir(odd)
        runtime = shutil.copy(SETUP.runtime, odd)
        _, run = self.measure(program("plain"), runtime=runtime)
        self.assertEqual(run["process"]["heap"]["peak_bytes"], 3000)

    def test_nothing_stays_behind(self):
        done = self.run_tool(["--json", self.path("run.json")], ["sh", "-c", 'test -e "$MEMSHAPE_RUNTIME_RECORD" && echo "$MEMSHAPE_RUNTIME_RECORD"'])
        record = done.stdout.strip()
        self.assertEqual(os.path.basename(record), "record", done)
        self.assertFalse(os.path.exists(os.path.dirname(record)))


if __name__ == "__main__":
    main()
