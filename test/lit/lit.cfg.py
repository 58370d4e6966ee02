# How the compiler-side tests run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Four layers: features/ (what the plugin reads from source), stages/ (what one stage of the slicer makes of IR), ir/ (what all of
# them make of it), run/ (what programs then do). A test never names a compiler: %clang, %clangxx and %opt are those of the version
# that this run is for. `%clang FLAGS %operator LIBRARIES`, or %clangxx and %operatorxx, compiles the test and links it;
# `%predict --shape ...` answers from its object file, and `| %says "TEXT"` wants FileCheck to find that in what is printed;
# `%compare %t --shape ... -- ARGUMENTS` predicts it, runs it, and wants both alike; `%held FLAGS` does all of that as the
# comments HELD of the test say (run/held.py). Older compilers run one program of each class, and all with `--param all=1`.

import os
import re
import sys

sys.path.insert(0, os.path.join(config.source_root, "test", "lit"))
import programs  # noqa: E402

config.name = f"memshape-{config.llvm_version}"
whole = config.llvm_version == config.newest_version or bool(lit_config.params.get("all"))
config.test_format = programs.Programs(whole)
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.source_root, "test", "lit")

version = config.llvm_version
tools = os.path.join(config.llvm_root, "bin")
plugin = os.path.join(config.lib_dir, "memshape")
report = os.path.join(config.bin_dir, "memshape-report")

# In this order: what one writes another replaces. The word boundary keeps %opt away from %options and %clang from %clangxx.
config.substitutions += [
    (r"%operatorxx\b", "-fplugin=%plugin -I%include -c %s -o %t.o && %clangxx %t.o -o %t"),
    (r"%operator\b", "-fplugin=%plugin -I%include -c %s -o %t.o && %clang %t.o -o %t"),
    (r"%held\b", "%python %inputs/../held.py %memshape %llvm_bin/clang %plugin %include %s %t"),
    (r"%predict\b", "%memshape predict %t.o"),
    (r"%says\b", f"%python {config.test_source_root}/says.py FileCheck"),
    (r"%compare\b", "%python %inputs/../compare.py %memshape"),
    (r"%wraps\b", "%python %inputs/../wraps.py %memshape"),
    (r"%counting\b", os.path.join(config.source_root, "test", "e2e", "hostile", "counting.c")),
    (r"%inputs\b", os.path.join(config.source_root, "test", "lit", "run", "Inputs")),
    (r"%clangxx\b", os.path.join(tools, "clang++")),
    (r"%clang\b", os.path.join(tools, "clang")),
    (r"%opt\b", f"{tools}/opt -load-pass-plugin={config.lib_dir}/memshape-pass-{version}.so"),
    (r"%plugin\b", plugin),
    (r"%features\b", f"{report} --format json"),
    (r"%report\b", report),
    (r"%memshape\b", os.path.join(config.bin_dir, "memshape")),
    (r"%include\b", os.path.join(config.source_root, "runtime", "include")),
    (r"%lib_dir\b", config.lib_dir),
    (r"%llvm_version\b", version),
    (r"%llvm_bin\b", tools),
    (r"%python\b", config.python),
]
# FileCheck, not and split-file of this release by their bare names, outside of quotes.
for name in ("FileCheck", "not", "split-file", "count", "llvm-as", "llvm-dis", "llvm-readelf", "llvm-objcopy"):
    outside = r"""(?=([^"']|"[^"]*"|'[^']*')*$)"""
    config.substitutions.append((rf"(?<![-\w/.%]){re.escape(name)}(?![-\w/.]){outside}", os.path.join(tools, name)))

config.available_features.add(f"clang-{version}")
# Libraries that are large to install; what is tested on them has a test on a small library of our own as well.
for feature, header in (
    ("opencv", "/usr/include/opencv4/opencv2/core.hpp"),
    ("lapacke", "/usr/include/lapacke.h"),
    ("dlib", "/usr/include/dlib/matrix.h"),
    ("vigra", "/usr/include/vigra/multi_array.hxx"),
    ("itk", "/usr/include/ITK-5.2/itkImage.h"),
):
    if os.path.exists(header):
        config.available_features.add(feature)

# A variable of ours in the caller's environment would change what is tested; the plugin refuses unknown ones anyway.
for variable in [name for name in os.environ if name.startswith("MEMSHAPE_")]:
    config.environment.pop(variable, None)
config.environment["LC_ALL"] = "C.UTF-8"
