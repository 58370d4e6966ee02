#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds test/package/<way> and checks that its libraries carry the section and that predict answers for them."""

import json
import subprocess
import tempfile
from pathlib import Path

from building import arguments, expect, run


def main():
    use = arguments(__doc__, "find_package", "add_subdirectory")
    with tempfile.TemporaryDirectory(prefix="memshape-package-") as temporary:
        build, prefix = Path(temporary) / "build", Path(temporary) / "prefix"
        options = [f"-DCMAKE_C_COMPILER={use.clang}/clang", f"-DCMAKE_CXX_COMPILER={use.clang}/clang++",
                   "-DCMAKE_BUILD_TYPE=Release"]
        if use.way == "find_package":
            run(use.cmake, "--install", use.build, "--prefix", prefix)
            options.append(f"-DCMAKE_PREFIX_PATH={prefix}")
        else:
            # The module of the compiler in use is enough; the tools are not wanted by EXCLUDE_FROM_ALL until asked for.
            options += [f"-DMEMSHAPE_SOURCE={use.source.resolve()}", f"-DMEMSHAPE_LLVM_VERSIONS={use.version}",
                        f"-DMEMSHAPE_EXECUTABLE={use.build.resolve() / 'bin' / 'memshape'}",
                        # That all of it builds is tested, not how fast it is; the operators have a level of their own.
                        "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"]
        run(use.cmake, "-S", Path(__file__).parent / use.way, "-B", build, "-G", "Ninja", *options)
        run(use.cmake, "--build", build, "-j", "2")

        # Values of the taper: 12 traces of ones; 10 samples at each end weigh 4.5 together, so 3 * (80 + 2 * 4.5).
        expect(run(build / "apply").strip() == "267.000", "the instrumented program computes something else")

        expect(run(build / "keep", temporary).strip() == "28 0", "the store loses data, or keeps too much in memory")

        if use.way == "find_package":
            expect(run(build / "guarded").strip() == "0 1", "the guard lets too much through, or too little")

        memshape = (prefix if use.way == "find_package" else use.build) / "bin" / "memshape"
        for library, operator, shape, at_least in (
                ("libstack.so", "stack_gathers", "gathers=30,fold=7,samples=1001", 30 * 1001 * 4 + 1001 * 8),
                ("libtaper.so", "taper_traces", "count=10,samples=1001,ramp=50", 1001 * 8)):
            sections = run(f"{use.clang}/llvm-readelf", "-S", build / library)
            expect(" .memshape " in sections, f"{library} has no section .memshape")
            answer = json.loads(run(memshape, "predict", build / library, "--shape", shape, "--json"))
            expect(answer["operator"] == operator, f"{library}: operator {answer['operator']} instead of {operator}")
            expect(answer["heap"]["peak_bytes"] == at_least,
                   f"{operator}: {answer['heap']['peak_bytes']} B at the peak, expected {at_least}")
            expect(answer["heap"]["exact"], f"{operator}: not exact")

        # A check without a baseline fails and says how to make one; with one it passes.
        ctest = use.cmake.with_name("ctest")
        before = subprocess.run([str(ctest), "--test-dir", str(build), "--output-on-failure"], capture_output=True, text=True)
        expect(before.returncode and "--update makes one" in before.stdout, f"a missing baseline passes:\n{before.stdout}")
        run(use.cmake, "--build", build, "--target", "memshape-update-stack")
        if use.way == "find_package":
            expect("taper_memory.h' is not what would be written" in before.stdout, "a header that is missing passes")
            run(use.cmake, "--build", build, "--target", "memshape-update-taper_memory")
        told = run(ctest, "--test-dir", build, "-V")
        expect("1 operator, as in" in told, f"the check says something else:\n{told}")


if __name__ == "__main__":
    main()
