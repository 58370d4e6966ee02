#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: hostile_program.py SEED c|cpp FOLDER

Writes the units operators, other and third (in the other language) of a program of OPERATORS operators op0, op1, ... and prints the
compiler's flags for the first. The size of what an operator requests follows from numbers of hostile/sources: few of them from the
shape, most from what only looks like it. The same seed gives the same program."""

import random
import re
import sys
from pathlib import Path

OPERATORS = 24
SOURCES = Path(__file__).resolve().parent / "hostile/sources"

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
    """A function NUMBER(name, tags) of hostile/sources with what stands in front of it: see numbers.h."""

    def __init__(self, file, chunks):
        self.file = file
        self.name, *self.tags = re.match(r"NUMBER\(([^)]*)\)", chunks[-1])[1].replace(" ", "").split(",")
        self.body = chunks[-1].split(")", 1)[1]
        self.before, self.other, self.third = [], [], []
        for chunk in chunks[:-1]:
            where, inner = re.fullmatch(r"(BOTH|ELSEWHERE|IN_OTHER_LANGUAGE)\((.*)\)|.*", chunk, re.S).groups()
            for unit in {"BOTH": (self.before, self.other), "ELSEWHERE": (self.other,), "IN_OTHER_LANGUAGE": (self.third,)}.get(where, (self.before,)):
                unit.append(self.named(inner or chunk))
        self.sets = any(f"SET_{self.name}(" in text for text in self.other)

    def named(self, text):
        return re.sub(r"\bSET {", f"EXPORTED void SET_{self.name}(int value) {{", re.sub(r"(?<=\w)\$", f"_{self.name}", text))

    def function(self, kind, prefix=""):
        return f"{kind} unsigned long {prefix}{self.name}(NUMBERS) {self.named(self.body)}"


def sources(suffix):
    """Of all files with this suffix. A line that is not indented begins a chunk; NUMBER is the last of a source."""
    found, chunks = [], []
    for file in sorted(SOURCES.glob(f"*.{suffix}")):
        for line in file.read_text().splitlines():
            if line.startswith("//") or not line:
                continue
            if line.startswith("  "):
                chunks[-1] += "\n" + line
                continue
            if chunks and chunks[-1].startswith("NUMBER("):
                found.append(Source(file.stem, chunks))
                chunks = []
            chunks.append(line)
        found.append(Source(file.stem, chunks))
        chunks = []
    return found


COMMON, CPP = sources("c"), sources("cpp")


class Program:
    def __init__(self, seed, cpp, only=None):
        self.random = random.Random(f"{seed}.{cpp}")
        self.cpp = cpp
        self.before, self.other, self.third, self.setter, self.names, self.lines, self.used = [], [], [], [], [], [], []
        self.calls = {}  # of each source's function
        self.level = self.random.choice(["-O0", "-O1", "-O2", "-O2", "-O2", "-O2", "-O3", "-Os"])
        self.flags = ["-fwrapv"] if self.random.random() < 0.3 else []
        self.openmp = self.random.random() < 0.25 or any("openmp" in source.tags for source in only or ())
        self.alone = self.random.random() < 0.2 and not only  # memshape is asked about the operators' unit alone
        mode = self.random.random()
        self.fenv, self.fast = mode < 0.15, mode > 0.85
        if self.fast:
            self.level = self.random.choice(["-O2", "-O3"])
            self.flags += ["-ffast-math", *self.random.choice([[], [], ["-mavx2", "-mfma"], ["-march=native"], ["-fveclib=libmvec"]])]
        elif mode > 0.5:
            self.flags += self.random.choice(OTHER_FLAGS)
        if self.openmp:
            self.flags.append("-fopenmp")
        only = [source for source in only or () if self.allowed(source)]
        pool = [s for s in COMMON + CPP * self.cpp if self.allowed(s)]
        self.shaped = [s for s in pool if "shape" in s.tags]
        # What ends the program, or changes all of it, stands in one operator of a few programs.
        self.last = [s for s in pool if {"ends", "program"} & set(s.tags)]
        self.hostile = [s for s in pool if s not in self.shaped + self.last]
        self.queue = []
        for k in range(len(only) or OPERATORS):
            self.operator(f"op{k}", only and only[k])

    def allowed(self, source):
        if source.name.startswith("plain"):
            return False
        # What changes the whole program stands in a unit that memshape has to see.
        return not ("program" in source.tags and self.alone or "fenv" in source.tags and not self.fenv or "fast" in source.tags and self.fenv or "finite" in source.tags and self.fast
                    or "openmp" in source.tags and not self.openmp)

    def shape(self):
        return self.random.choice(["n", "m", str(self.random.randrange(1, 20)), "(n + m)", "(n * 2 + 1)"])

    def use(self, source):
        """A call whose value is the source's. Operators that use the same source share what it keeps."""
        if source.name not in self.calls:
            self.other += source.other
            self.third += source.third
            if source.sets:
                self.setter.append(f"SET_{source.name}(value);")
            draw, prefix = self.random.random(), ""
            if not (source.before or source.other or self.alone) and draw < 0.08:
                prefix = "hostile_number_"
                declared = f"EXPORTED unsigned long {prefix}{source.name}(NUMBERS);"
                self.other += [declared, source.function("", prefix)]
                self.before.append(declared)
            else:
                self.before += [*source.before, source.function("static NOINLINE" if draw < 0.3 else "static inline")]
            self.calls[source.name] = prefix + source.name
        return f"{self.calls[source.name]}(in, ints, text, n, m, out, state, {self.shape()}, &given)"

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
            if self.last and name == f"op{OPERATORS - 1}" and draw.random() < 0.4:
                chosen.append(draw.choice(self.last))
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

    def tagged(self, operator, tag):
        return any(tag in source.tags for source in self.used[operator])

    def threads_keep(self):
        """Whether an operator uses what a thread has of its own."""
        return any({"openmp", "thread"} & set(source.tags) for used in self.used for source in used)

    def function(self, name, lines):
        vector, last = (" std::vector<float> V;", " out[15] += V.empty() ? 0.f : V[0];") if self.cpp else ("", "")
        body = "\n".join(f"  {line}" for line in lines)
        kind, end = ("void *", "  return given;\n") if self.tagged(self.names.index(name), "gives") else ("void", "")
        return (f"EXPORTED {kind} {name}(PARAMETERS) {{\n  unsigned long K0 = 5, K1 = (unsigned)m, K2 = 7, C = 0; float *P = 0; void *given = 0;{vector}\n{body}\n"
                f"  out[13] += (float)(K0 + K1 + K2 + C); if (P) out[14] += P[0];{last}\n  free(P);\n{end}}}")

    def keep(self, operator, lines):
        """One operator alone, and of its statements some."""
        self.names, self.used = [self.names[operator]], [self.used[operator]]
        self.lines = [[self.lines[operator][k] for k in lines]]

    def texts(self):
        """Of the units: operators, other, third, and the table of the runner."""
        first = '#include "numbers.h"\n' + "#pragma STDC FENV_ACCESS ON\n" * self.fenv
        # Most need none of the C++ library, whose headers take most of the time.
        plain = "" if any("std::" in line for line in self.other) else "#define HOSTILE_PLAIN 1\n"
        setters = "void hostile_set(int value) {\n  (void)value;\n" + "".join(f"  {line}\n" for line in self.setter) + "}\n"
        table = '#include "hostile.h"\n' + "".join(f"void *{name}();\n" for name in self.names)
        rows = ", ".join(f"{{(operation *){name}, {self.tagged(k, 'gives'):d}, {self.tagged(k, 'ends'):d}}}" for k, name in enumerate(self.names))
        table += (f"const struct operator_of_program operators[] = {{{rows}}};\nconst int number_of_operators = {len(self.names)}, "
                  f"rounding_counts = {self.fenv:d}, infinities_count = {not self.fast:d}, threads_keep = {self.threads_keep():d};\n")
        return {"operators": "\n".join([first, VARIABLES, *self.before, *map(self.function, self.names, self.lines), ""]),
                "other": "\n".join([plain + first, *self.other, setters]),
                "third": "\n".join(["#define HOSTILE_PLAIN 1\n" + first, *self.third, ""]), "table": table}

    def write(self, folder):
        for name, text in self.texts().items():
            suffix = "c" if name == "table" or self.cpp == (name == "third") else "cpp"
            (Path(folder) / f"{name}.{suffix}").write_text(text)
        return [self.level, *self.flags]


if __name__ == "__main__":
    print(*Program(int(sys.argv[1]), sys.argv[2] == "cpp").write(sys.argv[3]))
