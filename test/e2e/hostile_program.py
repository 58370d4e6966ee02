#!/usr/bin/python3
# ===- hostile_program.py - Programs written to break what is said of them -=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Usage: hostile_program.py SEED c|cpp FOLDER

Writes the units operators.c and other.c (or .cpp) of a program of OPERATORS operators op0, op1, ... and prints the compiler's flags for
the first. The size of what an operator requests follows from numbers of hostile_sources.py: few of them from the shape, most from
what only looks like it. The same seed gives the same program."""

import random
import sys
from pathlib import Path

import hostile_sources
import hostile_sources_cpp
import hostile_sources_memory
import hostile_sources_units

OPERATORS = 24

PROLOGUE = r"""
#define _GNU_SOURCE 1
#include "hostile.h"
#include <alloca.h>
#include <cpuid.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <x86intrin.h>
#if defined(__cplusplus) && !defined(HOSTILE_PLAIN)
#include <algorithm>
#include <any>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>
#include <bitset>
#include <deque>
#include <functional>
#include <iomanip>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
#endif
#ifdef __cplusplus
#define EXPORTED extern "C"
#else
#define EXPORTED
#endif
#define NOINLINE __attribute__((noinline))
#define AT(array, index) ((array)[(unsigned long)(index) & 255])
#define WORD(name, at) char name[16]; copied(name, text + ((unsigned long)(at) & 127), 12)
#define PARAMETERS const float *in, int *ints, char *text, int n, int m, float *out, int *state
static inline unsigned long cut(unsigned long v) { return (v & 255) + 1; }
static inline unsigned long few(unsigned long v) { return v & 7; }
static inline long whole(double v) { return v > -1e9 && v < 1e9 ? (long)v : 5; }
static inline void copied(char *to, const char *from, int room) {
  int at = 0;
  for (; at < room - 1 && from[at]; ++at)
    to[at] = from[at];
  to[at] = 0;
}
static NOINLINE float touched(const void *p) { return *(const char *)p; }
static int compared(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int ordered(const void *a, const void *b) {
  const uintptr_t left = (uintptr_t) * (char *const *)a, right = (uintptr_t) * (char *const *)b;
  return (left > right) - (left < right);
}
"""

# The operators' unit alone.
VARIABLES = r"""
int hostile_exposed[1024];
float hostile_exposed_floats[1024];
unsigned hostile_counter;
int *hostile_kept;
"""

# What numbers become: $k is one of them, $s an integer from the shape, $I a number of this use.
SINKS = r"""
{ unsigned long c = cut($k); char *w = (char *)calloc(c, 1); w[0] = text[0]; w[c - 1] = 3; out[1] += w[c / 2] + touched(w); free(w); }
{ char *w = (char *)calloc(1, ($k & 1023) + 1); out[1] += touched(w); free(w); }
{ unsigned long c = cut($k); float *w = (float *)malloc(c * 4); for (unsigned long q = 0; q < c; ++q) w[q] = AT(in, q); out[2] += w[c / 2]; free(w); }
for (unsigned long q = few($k); q; --q) { float *w = (float *)calloc(q * 3 + (unsigned)n, 4); w[q] = AT(in, q); out[q] += w[n / 2]; free(w); }
if ($k & 1) { double *w = (double *)calloc((unsigned)n + 1, 8); w[0] = AT(in, 3); out[3] += (float)w[n / 2]; free(w); }
if ($k > 20) { int *w = (int *)calloc((unsigned)(m + 3), 4); w[0] = AT(ints, 3); out[3] += (float)w[m / 2]; free(w); }
{ unsigned long c = cut($k); P = (float *)realloc(P, (C + c) * 4); for (; c; --c) P[C++] = AT(in, c); out[4] += P[C / 2]; }
switch ($k & 3) { case 0: free(P); P = 0; C = 0; break; case 1: K0 += 3; break; case 2: { char *w = (char *)calloc(1, cut($k * 3)); w[0] = text[1]; out[5] += w[(unsigned)n & 0]; free(w); } }
{ struct link { struct link *next; long v; } *list = 0; for (unsigned long q = few($k); q; --q) { struct link *l = (struct link *)malloc(sizeof *l); l->v = (long)q; l->next = list; list = l; } while (list) { struct link *l = list; list = l->next; out[6] += (float)l->v; free(l); } }
{ unsigned long c = cut($k) * (unsigned)n; double *w = (double *)calloc(c, 8); w[0] = AT(in, 0); out[7] += (float)w[c / 2]; free(w); }
""".strip().splitlines()

SINKS_CPP = r"""
{ std::vector<float> v(cut($k)); for (auto &f : v) f = AT(in, 1); out[8] += v[v.size() / 2]; }
{ std::vector<int> v; for (unsigned long q = 0; q < cut($k) / 4; ++q) v.push_back(AT(ints, q)); out[8] += v.empty() ? 0.f : (float)v.back(); }
{ std::string t($k & 63, 'x'); t += "yz"; out[9] += t[t.size() / 2]; }
{ std::map<int, long> t; for (unsigned long q = 0; q < few($k); ++q) t[(int)q] = AT(ints, q); out[9] += (float)t.size(); }
{ std::vector<std::vector<float>> v(few($k)); for (auto &w : v) w.assign(cut($k), AT(in, 2)); out[10] += v.empty() ? 0.f : v.back()[0]; }
{ auto p = std::make_unique<double[]>(cut($k)); p[0] = AT(in, 3); out[10] += (float)p[0]; }
{ std::deque<int> d(cut($k), AT(ints, 0)); out[11] += (float)d.back(); }
V.resize(cut($k)); V[0] = AT(in, 0);
V.insert(V.end(), few($k), AT(in, 5));
if ($k & 1) { V.clear(); V.shrink_to_fit(); }
""".strip().splitlines()

INNOCENT = r"""
for (int i = 0; i < n; ++i) out[i & 15] += AT(in, i) * 0.5f;
for (int i = 0; i < m; ++i) state[i & 7] ^= AT(ints, i);
K1 = K1 * 3 + (unsigned)n;
K2 = (K2 >> 1) ^ (unsigned)m;
K0 += K1 & 31;
out[12] = AT(in, n) > 0 ? 1.f : 2.f;
if (P) P[0] += AT(in, m);
text[9] = (char)('a' + (n & 7));
ints[7] = m; state[9] = n;
""".strip().splitlines()


OTHER_FLAGS = [["-mavx2", "-mfma"], ["-mavx2", "-mfma", "-ffp-contract=fast"], ["-march=native"], ["-fno-math-errno"], ["-fno-inline"], ["-fno-builtin"],
               ["-fno-strict-aliasing"], ["-funsigned-char"], ["-g"], ["-fPIC"], ["-D_FORTIFY_SOURCE=2"], ["-fassociative-math", "-fno-signed-zeros",
               "-fno-trapping-math"], ["-fstack-protector-all"], ["-fomit-frame-pointer"], ["-fno-omit-frame-pointer"], ["-fno-delete-null-pointer-checks"]]


class Source:
    """One entry of hostile_sources.py."""

    def __init__(self, text):
        head, *lines = text.strip().splitlines()
        self.name, *self.tags = head.split()
        parts = {"+": [], "!": [], ">": [], "": []}
        for line in lines:
            mark = line[0] if line[0] in "+!>" and line[1] == " " else ""
            parts[mark].append(line[2:] if mark else line)
        self.before, self.other, self.setter, self.body = parts["+"], parts["!"], parts[">"], " ".join(parts[""])


def sources(text):
    return [Source(entry) for entry in text.split("\n# ")[1:]]


COMMON = [one for part in (hostile_sources, hostile_sources_memory, hostile_sources_units) for one in sources(part.SOURCES)]
CPP = sources(hostile_sources_cpp.SOURCES)


class Program:
    def __init__(self, seed, cpp, only=None):
        self.random = random.Random(f"{seed}.{cpp}")
        self.cpp, self.number = cpp, 0
        self.before, self.other, self.setter, self.names, self.lines, self.used = [], [], [], [], [], []
        self.level = self.random.choice(["-O0", "-O1", "-O2", "-O2", "-O2", "-O2", "-O3", "-Os"])
        self.flags = ["-fwrapv"] if self.random.random() < 0.3 else []
        mode = self.random.random()
        self.fenv, self.fast = mode < 0.15, mode > 0.85
        if self.fast:
            self.level = self.random.choice(["-O2", "-O3"])
            self.flags += ["-ffast-math", *self.random.choice([[], [], ["-mavx2", "-mfma"], ["-march=native"], ["-fveclib=libmvec"]])]
        elif mode > 0.5:
            self.flags += self.random.choice(OTHER_FLAGS)
        only = [source for source in only or () if self.allowed(source)]
        pool = [s for s in COMMON + CPP * self.cpp if self.allowed(s)]
        self.shaped = [s for s in pool if "shape" in s.tags]
        self.hostile = [s for s in pool if "shape" not in s.tags]
        self.queue = []
        for k in range(len(only) or OPERATORS):
            self.operator(f"op{k}", only and only[k])

    def allowed(self, source):
        if source.name.startswith("plain"):
            return False
        return not ("fenv" in source.tags and not self.fenv or "fast" in source.tags and self.fenv or "finite" in source.tags and self.fast)

    def shape(self):
        return self.random.choice(["n", "m", str(self.random.randrange(1, 20)), "(n + m)", "(n * 2 + 1)"])

    def filled(self, text, number, values):
        for name, value in values.items():
            text = text.replace(f"${name}", value)
        return text.replace("$I", number)

    def use(self, source):
        """A call whose value is the source's."""
        number = f"_{self.number}"
        self.number += 1
        values = {"s": self.shape(), "c": str(self.random.randrange(1, 20))}
        if source.other and not self.setter:
            self.setter.append("(void)value;")
        self.other += [self.filled(line, number, values) for line in source.other]
        self.setter += [self.filled(line, number, values) for line in source.setter]
        lines = [self.filled(line, number, values) for line in source.before]
        body = self.filled(source.body, number, values)
        start = "unsigned long x = 0;"
        draw = self.random.random()
        outside = not source.before and draw < 0.08
        if outside:
            self.other += [f"EXPORTED unsigned long hostile_number{number}(PARAMETERS);",
                           f"unsigned long hostile_number{number}(PARAMETERS) {{ {start} {body} return x; }}"]
            lines += [f"EXPORTED unsigned long hostile_number{number}(PARAMETERS);"]
            name = f"hostile_number{number}"
        else:
            kind = "static NOINLINE" if draw < 0.3 else "static inline"
            name = f"number{number}"
            lines += [f"{kind} unsigned long {name}(PARAMETERS) {{ {start} {body} return x; }}"]
        self.before += lines
        return f"{name}(in, ints, text, n, m, out, state)"

    def sink(self, number=None):
        text = self.random.choice(SINKS + SINKS_CPP * 2 if self.cpp else SINKS)
        number = number or self.random.choice(["K0", "K1", "K2", "(K0 ^ K2)", "(K1 + K0)"])
        return text.replace("$k", number).replace("$s", self.shape())

    def wrapped(self, line):
        draw = self.random.random()
        if draw < 0.1:
            return f"for (int turn = 0; turn < {self.random.choice(['2', '(n & 3)', '(m & 3) + 1'])}; ++turn) {{ {line} }}"
        if draw < 0.15:
            return f"if (n > {self.random.randrange(1, 30)}) {{ {line} }}"
        if draw < 0.18:
            return f"if (K1 & 1) {{ {line} }}"
        return line

    def draw_hostile(self):
        if not self.queue:
            self.queue = self.random.sample(self.hostile, len(self.hostile))
        return self.queue.pop()

    def operator(self, name, only):
        draw = self.random
        if only:
            chosen, sinks, innocent = [only], 1, 0
        else:
            chosen = [self.draw_hostile() for _ in range(draw.choice([0, 1, 1, 1, 1, 1, 1, 2, 2, 3]))]
            chosen += [draw.choice(self.shaped) for _ in range(draw.choice([0, 0, 1, 1, 2]) + (not chosen))]
            sinks, innocent = draw.randrange(1, 4), draw.randrange(0, 4)
        draw.shuffle(chosen)
        lines = []
        for source in chosen:
            slot = f"K{draw.randrange(3)}"
            how = draw.choice(["{k} = {x};", "{k} += {x};", "{k} ^= {x};", "{k} = {k} * 2 + {x};"])
            lines.append(self.wrapped(how.format(k=slot, x=self.use(source))))
        lines += [self.wrapped(draw.choice(INNOCENT)) for _ in range(innocent)]
        lines += [self.wrapped(self.sink()) for _ in range(sinks - 1)]
        if draw.random() < 0.4:
            draw.shuffle(lines)
        lines.append(self.sink("(K0 + K1 * 3 + K2 * 5)"))
        self.used.append(chosen)
        self.lines.append(lines)
        self.names.append(name)

    def function(self, name, lines):
        vector, last = (" std::vector<float> V;", " out[15] += V.empty() ? 0.f : V[0];") if self.cpp else ("", "")
        body = "\n".join(f"  {line}" for line in lines)
        return (f"EXPORTED void {name}(PARAMETERS) {{\n  unsigned long K0 = 5, K1 = (unsigned)m, K2 = 7, C = 0; float *P = 0;{vector}\n{body}\n"
                f"  out[13] += (float)(K0 + K1 + K2 + C); if (P) out[14] += P[0];{last}\n  free(P);\n}}")

    def keep(self, operator, lines):
        """One operator alone, and of its statements some."""
        self.names, self.used = [self.names[operator]], [self.used[operator]]
        self.lines = [[self.lines[operator][k] for k in lines]]

    def unit(self):
        pragma = "#pragma STDC FENV_ACCESS ON\n" if self.fenv else ""
        return "\n".join([PROLOGUE, pragma, VARIABLES, *self.before, *map(self.function, self.names, self.lines), ""])

    def other_unit(self):
        pragma = "#pragma STDC FENV_ACCESS ON\n" if self.fenv else ""
        # Most need none of the C++ library, whose headers take most of the time.
        plain = "" if any("std::" in line for line in self.other + self.setter) else "#define HOSTILE_PLAIN 1"
        return "\n".join([plain, PROLOGUE, pragma, *self.other, "void hostile_set(int value) {", "  (void)value;", *(f"  {line}" for line in self.setter), "}", ""])

    def table(self):
        """Of the runner: which operators there are."""
        return "\n".join([*(f"void {name}(const float *, int *, char *, int, int, float *, int *);" for name in self.names),
                          "void (*const operators[])(const float *, int *, char *, int, int, float *, int *) = {" + ", ".join(self.names) + "};",
                          f"const int number_of_operators = {len(self.names)}, rounding_counts = {int(self.fenv)}, infinities_count = {int(not self.fast)};", ""])

    def write(self, folder):
        suffix = "cpp" if self.cpp else "c"
        folder = Path(folder)
        (folder / f"operators.{suffix}").write_text(self.unit())
        (folder / f"other.{suffix}").write_text(self.other_unit())
        (folder / "table.c").write_text(self.table())
        return [self.level, *self.flags]


if __name__ == "__main__":
    print(*Program(int(sys.argv[1]), sys.argv[2] == "cpp").write(sys.argv[3]))
