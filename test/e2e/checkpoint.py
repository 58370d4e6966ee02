#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape checkpoint: the actions of an answer are replayed here, and what they cost and hold is compared with what the
answer says; wrong requests get one line and status 2."""

import json
import subprocess
import tempfile
import unittest
from math import comb
from pathlib import Path

from toolchain import BIN, CLANG, LIB, SETUP, ran, run_tests

STEP = """
#include <vector>
std::vector<double> wave_step(const std::vector<double> &u) {
  std::vector<double> next(u.size()), twice(u);
  for (unsigned long i = 1; i + 1 < u.size(); ++i)
    next[i] = u[i - 1] + u[i + 1] - twice[i];
  return next;
}
"""


def ask(*words):
    return ran(SETUP.bin / "memshape", "checkpoint", *words)


def replay(found, levels, forward=1, backward=1, state_slots=1, tape_slots=0):
    """Cost, forward steps that are not taped, and the most slots, of levels {name: (slots, write, read)}."""
    held, tapes, current, left = {name: set() for name in levels}, {name: set() for name in levels}, 0, found["steps"]
    cost = steps = most = 0

    def taken(level):
        return state_slots * len(held[level]) + tape_slots * len(tapes[level])

    for action, state, *rest in found["actions"]:
        if action == "forward":
            assert current == state < rest[0] <= left
            current, steps, cost = rest[0], steps + rest[0] - state, cost + forward * (rest[0] - state)
        elif action == "backward":
            assert current == state == left - 1
            current, left, cost = None, state, cost + forward + backward
        elif action == "store":
            slots, write, _ = levels[rest[0]]
            assert current == state and state not in held[rest[0]]
            held[rest[0]].add(state)
            cost += write
            assert taken(rest[0]) <= slots
        elif action == "tape":
            slots, write, _ = levels[rest[0]]
            assert current == state < left and tape_slots > 0 and not any(state in each for each in tapes.values())
            tapes[rest[0]].add(state)
            current, cost = state + 1, cost + forward + write * tape_slots / state_slots
            assert taken(rest[0]) <= slots
        elif action == "rewind":
            tapes[rest[0]].remove(state)
            assert state == left - 1
            current, left, cost = None, state, cost + backward + levels[rest[0]][2] * tape_slots / state_slots
        elif action == "restore":
            assert state in held[rest[0]]
            current, cost = state, cost + levels[rest[0]][2]
        else:
            assert action == "discard"
            held[rest[0]].remove(state)
        most = max(most, sum(map(taken, levels)))
    assert left == 0
    return cost, steps, most


class Checkpoint(unittest.TestCase):
    def answer(self, *words):
        done = ask("--json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def check(self, found, levels, **costs):
        cost, steps, most = replay(found, levels, **costs)
        self.assertEqual((found["cost"], found["recomputed_steps"], found["peak_slots"]),
                         (cost, steps - (found["steps"] - 1), most))

    def refused(self, least, *words):
        """Exit status 1 and the bytes that would do."""
        done = ask(*words)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"^memshape: [^\n]* {least} bytes\n$")
        done = ask("--json", *words)
        self.assertEqual((done.returncode, json.loads(done.stdout)),
                         (1, {"schema": "memshape.checkpoint/1", "feasible": False, "least_memory_bytes": least}))

    def test_the_example_of_the_page(self):
        found = self.answer("--steps", 6, "--slots", 2)
        self.assertEqual(found["schema"], "memshape.checkpoint/1")
        self.assertEqual(found["actions"][:6], [["store", 0, "ram"], ["forward", 0, 3], ["store", 3, "ram"], ["forward", 3, 5],
                                                ["backward", 5], ["restore", 3, "ram"]])
        self.assertEqual((found["recomputed_steps"], found["peak_slots"]), (3, 2))
        self.check(found, {"ram": (2, 0, 0)})

    def test_slots_give_the_binomial_number_of_steps(self):
        for steps, slots in (1, 1), (2, 1), (100, 3), (1000, 5), (1000, 2000):
            found = self.answer("--steps", steps, "--slots", slots)
            self.check(found, {"ram": (slots, 0, 0)})
            slots = min(slots, steps)
            times = next(r for r in range(steps) if comb(slots + r, slots) >= steps)
            self.assertEqual(found["recomputed_steps"],
                             times * steps - (comb(slots + times, slots + 1) if times else 0) - (steps - 1))

    def test_levels_of_any_cost(self):
        for text, levels in (("ram:2:1:1,other:2:0:0", {"ram": (2, 1, 1), "other": (2, 0, 0)}),
                             ("ram:3,disk:200:2:1.5", {"ram": (3, 0, 0), "disk": (200, 2, 1.5)})):
            for steps in 3, 150:
                found = self.answer("--steps", steps, "--levels", text, "--forward", 2, "--backward", 1)
                self.check(found, levels, forward=2, backward=1)
        self.assertEqual(self.answer("--steps", 3, "--levels", "ram:2:1:1,other:2:0:0", "--forward", 2)["cost"], 13)

    def test_kept_tapes_save_runs(self):
        found = self.answer("--steps", 1000, "--slots", 60, "--tape-slots", 1, "--backward", 0)
        cost, again, most = replay(found, {"ram": (60, 0, 0)}, backward=0, tape_slots=1)
        self.assertEqual((found["cost"], found["recomputed_steps"], found["peak_slots"]), (cost, again, most))
        self.assertEqual((cost, self.answer("--steps", 1000, "--slots", 60, "--backward", 0)["cost"]), (1958, 2938)) # Maddison's, and Revolve's
        # Where all tapes fit each step runs once, and no state is stored.
        once = self.answer("--steps", 5, "--slots", 8, "--tape-slots", 2)
        self.assertEqual((once["recomputed_steps"], once["peak_tapes"], once["actions"][:2]), (0, 4, [["tape", 0, "ram"], ["tape", 1, "ram"]]))
        for size in (1, 3), (2, 3), (3, 2):
            for text, levels in ("ram:9", {"ram": (9, 0, 0)}), ("ram:6:1:0,disk:40:2:3", {"ram": (6, 1, 0), "disk": (40, 2, 3)}):
                found = self.answer("--steps", 40, "--levels", text, "--state-slots", size[0], "--tape-slots", size[1])
                cost, again, most = replay(found, levels, state_slots=size[0], tape_slots=size[1])
                self.assertEqual((found["recomputed_steps"], found["peak_slots"]), (again, most))
                self.assertAlmostEqual(found["cost"], cost)
        self.assertIn("['tape', 3, 'ram'], ['backward', 4], ['rewind', 3, 'ram']", str(self.answer("--steps", 6, "--slots", 2, "--tape-slots", 1)["actions"]))
        self.assertIn("  tape ", ask("--steps", 6, "--slots", 2, "--tape-slots", 1).stdout)
        self.assertIn("tape of step", ask("--steps", 6, "--slots", 2, "--tape-slots", 1, "--format", "svg").stdout)

    def test_bytes_of_tapes(self):
        found = self.answer("--steps", 50, "--memory", 1000, "--state", 40, "--tape", 60)
        self.assertEqual({**found, "optimal": None}, {**self.answer("--steps", 50, "--slots", 50, "--state-slots", 2, "--tape-slots", 3), "optimal": None})
        self.assertTrue(found["optimal"])
        self.assertFalse(self.answer("--steps", 50, "--memory", 10**9 + 7, "--state", 40 * 10**6 + 1, "--tape", 60 * 10**6 + 7)["optimal"])
        self.refused(40, "--steps", 50, "--memory", 39, "--state", 40, "--tape", 60)
        self.refused(20, "--steps", 3, "--memory", 19, "--state", 40, "--tape", 10) # tapes of all steps but the last
        self.assertEqual(self.answer("--steps", 3, "--memory", 20, "--state", 40, "--tape", 10)["peak_tapes"], 2)
        for words in (["--slots", 3, "--tape", 5], ["--memory", 9, "--state", 3, "--tape", "x"], ["--memory", 9, "--state", 3, "--tape-slots", 2],
                      ["--slots", 3, "--tape-slots", -1], ["--slots", 3, "--state-slots", 0], ["--slots", 3, "--tape-slots", 10**10]):
            done = ask("--steps", 9, *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (words, done.stderr))

    def test_memory_gives_slots(self):
        by_memory = self.answer("--steps", 50, "--memory", "1GiB", "--state", "300MiB")
        self.assertEqual(by_memory, self.answer("--steps", 50, "--slots", 3))
        self.assertEqual(self.answer("--steps", 50, "--memory", 999, "--state", 100), self.answer("--steps", 50, "--slots", 9))
        self.assertEqual(self.answer("--steps", 50, "--memory", 100, "--state", 100), self.answer("--steps", 50, "--slots", 1))
        self.refused(100, "--steps", 50, "--memory", 99, "--state", 100)
        self.assertEqual(self.answer("--steps", 1, "--memory", 0, "--state", 100)["peak_slots"], 0)

    def test_a_step_leaves_room_for_itself(self):
        # 8,000 bytes each: the argument, what is returned, and what the step takes besides.
        with tempfile.TemporaryDirectory() as folder:
            source, compiled = Path(folder) / "step.cpp", Path(folder) / "step.o"
            source.write_text(STEP)
            subprocess.run([SETUP.clang / "clang++", "-O2", f"-fplugin={SETUP.lib / 'memshape'}",
                            "-fplugin-arg-memshape-operator=wave_step", "-c", source, "-o", compiled], check=True)
            words = ("--steps", 50, compiled, "--shape", "u.size=1000", "--memory")
            self.assertEqual(self.answer(*words, 24000 + 5 * 8000), self.answer("--steps", 50, "--slots", 5))
            self.assertEqual(self.answer(*words, 24000 + 5 * 8000 - 1), self.answer("--steps", 50, "--slots", 4))
            self.assertEqual(self.answer(*words, 32000), self.answer("--steps", 50, "--slots", 1))
            self.refused(32000, *words, 31999)
            # A single step needs no slot, but room to run.
            one = ("--steps", 1, compiled, "--shape", "u.size=1000", "--memory")
            self.assertEqual(self.answer(*one, 24000)["actions"], [["backward", 0]])
            self.refused(24000, *one, 23999)

    def test_steps_that_differ(self):
        steps = [{"state_bytes": 10 * (i % 3 + 1), "forward_bytes": 30, "backward_bytes": 35, "forward": i % 4 + 1, "backward": 2.5}
                 for i in range(20)]
        with tempfile.TemporaryDirectory() as folder:
            chain = Path(folder) / "chain.json"
            chain.write_text(json.dumps({"schema": "memshape.chain/1", "steps": steps}))
            costs = []
            for memory in 45, 75, 115, 1000:
                found = self.answer("--chain", chain, "--memory", memory)
                cost, _, most = replay(found, {"ram": (20, 0, 0)})
                held = sum(s["state_bytes"] for s in steps[:-1])
                self.assertEqual(found["peak_slots"], most)
                self.assertLessEqual(found["peak_bytes"], memory)
                self.assertTrue(found["optimal"])
                time = sum(sum(steps[i]["forward"] for i in range(state, rest[0])) if what == "forward" else
                           steps[state]["forward"] + steps[state]["backward"] if what == "backward" else 0
                           for what, state, *rest in found["actions"])
                self.assertEqual(found["cost"], time)
                costs.append(time)
            self.assertEqual(costs, sorted(costs, reverse=True))
            once = sum(2 * s["forward"] + s["backward"] for s in steps) - steps[-1]["forward"]
            self.assertEqual((costs[-1], found["peak_bytes"]), (once, held + 35))
            # State 0 or 1 in front of a reversal; a byte less does not do.
            for memory in 30, 44:
                self.refused(45, "--chain", chain, "--memory", memory)
            # Sizes that are rounded in the table do not keep the least memory from succeeding.
            odd = [{"state_bytes": 10**9 + 7919 * i, "forward_bytes": 10**9 + 104729 * (i % 7), "backward_bytes": 2 * 10**9 + 1}
                   for i in range(30)]
            chain.write_text(json.dumps({"schema": "memshape.chain/1", "steps": odd}))
            least = json.loads(ask("--chain", chain, "--memory", 1, "--json").stdout)["least_memory_bytes"]
            self.assertEqual(least, odd[0]["state_bytes"] + odd[1]["backward_bytes"])
            found = self.answer("--chain", chain, "--memory", least)
            self.assertEqual((found["peak_bytes"], found["peak_slots"], found["optimal"]), (least, 1, False))
            self.assertEqual(ask("--chain", chain, "--memory", least - 1).returncode, 1)
            huge = [{"state_bytes": 2**63 - 1, "backward_bytes": 2**63 - 1}] * 2
            chain.write_text(json.dumps({"schema": "memshape.chain/1", "steps": huge}))
            done = ask("--chain", chain, "--memory", 1000)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
            self.assertIn("63 bits", done.stderr)
            for text in ("[]", "{", '{"schema": "memshape.chain/1", "steps": []}', '{"schema": "memshape.chain/1", "steps": [1]}',
                         *('{"schema": "memshape.chain/1", "steps": [{"state_bytes": %s}]}' % wrong
                           for wrong in ("-1", "1.5", "9223372036854775808", '1, "forward": -1', '1, "backward": "1"', "null"))):
                chain.write_text(text)
                done = ask("--chain", chain, "--memory", 1000)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (text, done.stderr))
            for words in (["--chain", chain], ["--chain", folder, "--memory", 9],
                          *(["--chain", chain, "--memory", 9, *more]
                            for more in (["--steps", 3], ["--slots", 3], ["--levels", "ram:3"], ["--state", 3], ["--forward", 3],
                                         ["--backward", 3], ["--shape", "n=3"], ["--operator", "step"], [chain]))):
                done = ask(*words)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (words, done.stderr))

    def test_no_slot_is_status_1(self):
        done = ask("--steps", 2, "--slots", 0)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
        done = ask("--steps", 2, "--levels", "a:0,b:0:1:1", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout), done.stderr.count("\n")),
                         (1, {"schema": "memshape.checkpoint/1", "feasible": False}, 1))
        self.assertEqual(ask("--steps", 1, "--slots", 0).returncode, 0)

    def test_levels_that_are_never_full_take_any_number_of_steps(self):
        found = self.answer("--steps", 20_000, "--levels", "disk:50:2:1,ram:9223372036854775807")
        self.assertEqual((found["recomputed_steps"], found["cost"], found["peak_slots"]), (0, 19_999 + 40_000, 19_999))
        self.check(found, {"ram": (20_000, 0, 0), "disk": (50, 2, 1)})

    def test_the_text_says_all_digits_of_the_cost(self):
        self.assertIn("  cost        8815960\n", ask("--steps", 1_000_000, "--slots", 20).stdout)
        self.assertIn("  cost        12.3\n", ask("--steps", 3, "--slots", 3, "--forward", "1.8", "--backward", "1.1").stdout)

    def test_wrong_requests_get_one_line(self):
        for words in (["--steps", "0", "--slots", "2"], ["--steps", "x", "--slots", "2"], ["--slots", "2"], ["--steps", "5"],
                      ["--steps", "5", "--slots", "-1"], ["--steps", "5", "--slots", "9223372036854775808"],
                      ["--steps", "5", "--slots", "1", "--levels", "a:1"],
                      ["--steps", "5", "--levels", "a"], ["--steps", "5", "--levels", "a:1:-2"],
                      ["--steps", "5", "--levels", "a:1,a:2"], ["--steps", "5", "--levels", "a:nan"],
                      ["--steps", "5", "--memory", "1GiB"], ["--steps", "5", "--memory", "1GiB", "--state", "0"],
                      ["--steps", "5", "--slots", "2", "--state", "5"], ["--steps", "5", "--slots", "2", "--forward", "-1"],
                      ["--steps", "5", "--slots", "2", "--forward", "nan"], ["--steps", "5", "--slots", "2", "--forward", "1e400"],
                      ["--steps", "1000000000000", "--slots", "2"], ["--steps", "5", "--levels", "a:9223372036854775808"],
                      ["--steps", "5", "--levels", b"\xff:2"], ["--steps", "5", "--levels", "a\nb:2"],
                      ["--steps", "5", "--slots", "2", "--levels", ""], ["--steps", "5", "--slots", "2", "--memory", ""],
                      ["--steps", "5", "--slots", "2", "--chain", ""], ["--steps", "5", "--memory", "9", "--state", ""],
                      ["--steps", "5", "--slots", "2", "--shape", "n=3"], ["--steps", "5", "--slots", "2", "--operator", "step"],
                      ["--steps", "5", "--memory", "9", "--state", "3", "--set", "x=1"],
                      ["--steps", "100000", "--levels", "a:50:1:0,b:50:2:0"]):
            done = ask(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (words, done.stderr))


if __name__ == "__main__":
    run_tests(__doc__, bin=BIN, clang=CLANG, lib=LIB)
