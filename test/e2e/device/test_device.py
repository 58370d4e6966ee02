#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device memory as memshape run counts it, against what each program says of itself (truth.h)."""
import argparse
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from measured import SETUP, RunTest, main, program, read  # noqa: E402

NO_DEVICE = 77


class DeviceTest(RunTest):
    def run_on_device(self, options, *command):
        environment = {"LD_LIBRARY_PATH": SETUP.standin} if SETUP.standin else {}
        return self.run_tool(options, command, env={**os.environ, **environment})

    def measure(self, name, *arguments):
        out = self.path("run.json")
        done = self.run_on_device(["--json", out], program(name), *arguments)
        if done.returncode == NO_DEVICE:
            self.skipTest("no device")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout, read(out)

    def check(self, name, *arguments):
        """The call's and the process's figures are those that the program printed."""
        said, run = self.measure(name, *arguments)
        call = next(c for c in run["calls"] if c["operator"] == "work")
        truth = {}
        for line in said.splitlines():
            words = line.split()
            truth[words[0]] = dict(zip(words[1::2], map(int, words[2::2])))
        self.assertTrue(truth, said)
        for figures in (call["spaces"], run["process"]["spaces"]):
            held = {space: {"peak": f["peak_bytes"], "total": f["total_bytes"], "allocations": f["allocations"],
                            "output": f["output_bytes"]} for space, f in figures.items() if space in truth}
            self.assertEqual(held, truth)
        self.assertLessEqual(set(call["spaces"]) - {"stack"}, set(truth))  # and nothing is mapped
        for space, figures in truth.items():
            of_space = [s["bytes_at_peak"] for s in call["sites"] if s["space"] == space]
            self.assertEqual(sum(of_space), figures["peak"], space)
            live = sum(s["bytes"] for s in run["process"]["spaces"][space]["live_sites"])
            self.assertEqual(live, figures["output"], space)
        self.assertTrue(call["heap"]["exact"])
        return call


class OnTheRuntime(DeviceTest):
    def test_every_function_of_the_runtime(self):
        call = self.check("runtime_api")
        sites = {(s["line"] and os.path.basename(s["file"]), s["space"]) for s in call["sites"]}
        self.assertIn(("runtime_api.c", "device"), sites)
        self.assertIn(("runtime_api.c", "pinned"), sites)

    def test_a_runtime_inside_the_program(self):
        self.check("runtime_within")

    def test_a_reset_ends_what_the_device_held(self):
        self.check("runtime_api", "reset")
        self.check("runtime_within", "reset")

    def test_threads_lose_nothing(self):
        if not SETUP.standin:
            self.skipTest("not built")
        _, run = self.measure("threads", "2000")
        device = run["process"]["spaces"]["device"]
        self.assertEqual((device["allocations"], device["frees"], device["output_bytes"]), (18000, 18000, 0))
        self.assertLessEqual(device["peak_bytes"], 4 * 256)

    def test_the_page_shows_each_space(self):
        done = self.run_on_device([], program("runtime_api"))
        if done.returncode == NO_DEVICE:
            self.skipTest("no device")
        for text in ("device peak", "pinned peak", "managed peak", "device output"):
            self.assertIn(text, done.stderr)


class OnTheDriver(DeviceTest):
    def test_every_function_of_the_driver(self):
        self.check("driver_api")


class FoundByName(DeviceTest):
    def test_functions_from_dlsym_and_from_the_driver(self):
        self.check("by_name", SETUP.cudart)

    def test_a_library_in_a_plug_ins_scope(self):
        if not os.path.exists(program("plugged")):
            self.skipTest("not built")
        call = self.check("plugged", program("plugin.so"))
        self.assertEqual({os.path.basename(s["library"]) for s in call["sites"] if s["space"] == "device"},
                         {"plugin.so"})

    def test_what_is_not_there_is_not_found(self):
        if not SETUP.standin:
            self.skipTest("it is there")
        done = self.run_on_device(["--json", "/dev/null"], program("by_name"), "/nonexistent.so")
        self.assertEqual(done.returncode, NO_DEVICE, done.stdout)


class OnHip(DeviceTest):
    def test_functions_of_hip(self):
        if not os.path.exists(program("hip_api")):
            self.skipTest("not built")
        self.check("hip_api")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--standin", type=os.path.abspath, help="folder of the stand-in libraries; without: the real ones")
    parser.add_argument("--cudart", default="libcudart.so.13", help="the CUDA runtime, as dlopen is told")
    _, others = parser.parse_known_args(namespace=SETUP)
    if not SETUP.standin:
        try:
            ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            print(f"no device: {error}")
            sys.exit(NO_DEVICE)
    main(others)
