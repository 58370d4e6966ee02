#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: random_program.py SEED c|cpp

Prints a program of OPERATORS random operators op0, op1, ... of (in, flags, n, m, out). What they allocate and free follows from n and m,
from data, or from both, through locals, arrays, lists, containers, pointers to functions and exceptions. Every program is well defined:
indices are cut, pointers are tested, what was freed is null. `program OPERATOR N M DATA` calls one of them twice; DATA seeds the tensors,
0 leaves them zero. The same seed gives the same program."""

import random
import sys

OPERATORS = 8

PROLOGUE = r"""
#include <stdlib.h>
#include <string.h>
#define AT(array, index) ((array)[(index) & 1023])
typedef struct node { long extent; float *block; struct node *next; long tag; } node;
typedef void (*step)(float **, long *, long, const float *, long *);
static long level = 5;
static inline long cut(long v) { return (v & 63) + 1; }
static inline long few(long v) { return v & 7; }
"""

PROLOGUE_CPP = r"""
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>
""" + PROLOGUE + r"""
struct Box {
  std::vector<float> v;
  explicit Box(long c) : v((size_t)c) {}
  virtual ~Box() = default;
  virtual long size() const { return (long)v.size(); }
};
struct Wide : Box {
  std::vector<double> w;
  explicit Wide(long c) : Box(c), w((size_t)c * 2) {}
  long size() const override { return (long)(v.size() + w.size()); }
};
"""

CALLEES = r"""
static NOINLINE void fill(float **p, long *c, long v, const float *in, long *h) {
  (void)h;
  if (*p)
    return;
  *c = cut(v);
  *p = (float *)malloc((size_t)*c * 4);
  for (long q = 0; q < *c; ++q)
    (*p)[q] = AT(in, q);
}
static NOINLINE void drop(float **p, long *c, long v, const float *in, long *h) {
  (void)in;
  if (*p && (v & 1)) {
    free(*p);
    *p = 0;
    *c = 0;
  }
  h[v & 7] += v;
}
static NOINLINE void scratch(float **p, long *c, long v, const float *in, long *h) {
  (void)c;
  float *t = (float *)malloc((size_t)cut(v + h[1]) * 4);
  t[0] = AT(in, v);
  if (*p)
    (*p)[0] = t[0];
  free(t);
}
static NOINLINE long work(long a, long b, const float *in) {
  double *t = (double *)calloc((size_t)cut(a), 8);
  t[0] = AT(in, b);
  free(t);
  return (a ^ b) & 31;
}
static long recurse(long depth, long v) {
  if (depth <= 0)
    return v;
  float *t = (float *)malloc((size_t)cut(v) * 4);
  t[0] = (float)depth;
  long r = recurse(depth / 2 - 1, v + 3) + (t[0] > 100);
  free(t);
  return r;
}
static NOINLINE void consume(const float *p, long c, float *out) {
  for (long q = 0; p && q < c; ++q)
    out[q & 7] += p[q];
}
static CONST step steps[3] = {fill, drop, scratch};
"""

LOCALS = "float *P[4] = {0, 0, 0, 0}, A[4][8]; long C[4] = {0, 0, 0, 0}, L[4] = {1, 2, 3, 4}, H[8] = {0}; node *list = 0; memset(A, 0, sizeof A);"
LOCALS_CPP = ("std::vector<float> V[4]; std::vector<std::vector<float>> VV; std::map<int, long> M; std::map<int, std::vector<float>> MV;"
              " std::unique_ptr<Box> U[4]; std::shared_ptr<Box> S[4]; std::string T;")
EPILOGUE = """
  for (int k = 0; k < 4; ++k) {
    out[k] += (float)L[k] + (P[k] ? P[k][0] : 0) + A[k][2];
    free(P[k]);
  }
  while (list) {
    node *x = list;
    list = x->next;
    free(x->block);
    free(x);
  }
}
"""
MAIN = """
typedef void (*operation)(const float *, const int *, long, long, float *);
static operation all[] = {OPERATORS};
int main(int argc, char **argv) {
  static float in[1024], out[16];
  static int flags[1024];
  if (argc < 5)
    return 2;
  unsigned state = (unsigned)atoi(argv[4]);
  for (int q = 0; state && q < 1024; ++q) {
    state = state * 1664525u + 1013904223u;
    in[q] = (float)(int)state / 2147483648.0f;
    flags[q] = (int)(state >> 16);
  }
  for (int q = 0; q < 2; ++q)
    all[atoi(argv[1])](in, flags, atol(argv[2]), atol(argv[3]), out);
  return 0;
}
"""

# Statements by kind, as often as they are written. {k}, {j}: 0 to 3; {e}: an integer; {s}: one of n, m and constants; {b}: a condition;
# {d}: a float, data or not.
STATEMENTS = """
if (!P[{k}]) {{ C[{k}] = cut({e}); P[{k}] = (float *)malloc((size_t)C[{k}] * 4); memset(P[{k}], 0, (size_t)C[{k}] * 4); }}
if (!P[{k}]) {{ C[{k}] = cut({e}); P[{k}] = (float *)calloc((size_t)C[{k}], 4); }}
if (!P[{k}]) {{ C[{k}] = cut({e}); P[{k}] = (float *)malloc((size_t)C[{k}] * 4); P[{k}][0] = {d}; for (long q = 1; q < C[{k}]; ++q) P[{k}][q] = 1; }}
free(P[{k}]); P[{k}] = 0; C[{k}] = 0;
free(P[{k}]); P[{k}] = 0; C[{k}] = 0;
{{ long c = cut({e}); if (P[{k}] && c > C[{k}]) {{ P[{k}] = (float *)realloc(P[{k}], (size_t)c * 4); for (long q = C[{k}]; q < c; ++q) P[{k}][q] = 0; C[{k}] = c; }} }}
if (P[{k}]) P[{k}][({s} & 1023) % C[{k}]] = {d};
A[{k}][{s} & 7] = {d};
H[{s} & 7] = {e};
for (long q = 0; q < 8; ++q) H[q] ^= {e};
L[{k}] = {e};
L[{k}] += {e};
L[{k}] = H[{s} & 7];
L[{k}] = (long)A[{j}][{s} & 7];
if (P[{j}]) L[{k}] = (long)P[{j}][({s} & 1023) % C[{j}]];
{{ node *x = (node *)malloc(sizeof *x); x->extent = cut({e}); x->block = 0; x->tag = {e}; x->next = list; list = x; }}
{{ node *x = (node *)malloc(sizeof *x); x->extent = cut({e}); x->block = (float *)malloc((size_t)x->extent * 4); x->block[0] = {d}; x->tag = {e}; x->next = list; list = x; }}
if (list) {{ node *x = list; list = x->next; L[{k}] = x->extent; free(x->block); free(x); }}
if (list) {{ node *x = list; list = x->next; L[{k}] = x->tag; free(x->block); free(x); }}
for (node *x = list; x; x = x->next) L[{k}] += x->tag;
for (node *x = list; x; x = x->next) if (x->tag > {s}) {{ free(x->block); x->block = 0; }}
{{ float *t = P[{k}]; P[{k}] = P[{j}]; P[{j}] = t; long c = C[{k}]; C[{k}] = C[{j}]; C[{j}] = c; }}
if (P[{k}] && P[{j}]) memmove(P[{k}], P[{j}], (size_t)(C[{k}] < C[{j}] ? C[{k}] : C[{j}]) * 4);
if (P[{k}]) memcpy(P[{k}], in, (size_t)C[{k}] * 4);
memcpy(A[{k}], in, 32);
{{ node y; if (list) {{ memcpy(&y, list, sizeof y); L[{k}] = y.extent; }} }}
{{ float *t = (float *)malloc((size_t)cut({e}) * 8); t[0] = AT(in, m); out[0] += t[0]; free(t); }}
{{ struct {{ long extent; float *block; float d[4]; }} a, b; a.extent = {e}; a.block = P[{k}]; a.d[0] = AT(in, 3); b = a; L[{k}] = b.extent; if (b.block) b.block[0] = b.d[0]; }}
switch (few({e})) {{ case 0: L[{k}] = 3; break; case 1: L[{k}] += n; break; case 2: free(P[{j}]); P[{j}] = 0; C[{j}] = 0; break; default: H[{k}] = {e}; }}
level = {s};
fill(&P[{k}], &C[{k}], {e}, in, H);
drop(&P[{k}], &C[{k}], {e}, in, H);
scratch(&P[{k}], &C[{k}], {e}, in, H);
steps[few({e}) % 3](&P[{k}], &C[{k}], {e}, in, H);
L[{k}] = work({e}, {e}, in);
L[{k}] = recurse({e} & 15, {e});
consume(P[{k}], C[{k}], out);
""".strip().splitlines()

STATEMENTS_CPP = """
V[{k}].push_back({d});
V[{k}].resize((size_t)cut({e}));
V[{k}].assign((size_t)cut({e}), 1.f);
V[{k}].clear();
V[{k}].shrink_to_fit();
V[{k}].swap(V[{j}]);
V[{k}] = V[{j}];
V[{k}] = std::move(V[{j}]);
V[{k}] = std::vector<float>();
V[{k}].reserve((size_t)cut({e}));
V[{k}].insert(V[{k}].begin(), (size_t)few({e}), 1.f);
V[{k}].erase(std::remove_if(V[{k}].begin(), V[{k}].end(), [](float f) {{ return f > 1.5f; }}), V[{k}].end());
if (!V[{k}].empty()) V[{k}].pop_back();
L[{k}] = (long)V[{j}].size();
L[{k}] = (long)V[{j}].capacity();
for (float f : V[{k}]) if (f > 2) L[{j}]++;
{{ std::vector<long> w((size_t)cut({e}), {e}); L[{k}] = w.back(); }}
std::sort(V[{k}].begin(), V[{k}].end());
VV.emplace_back((size_t)cut({e}));
if (!VV.empty()) VV.pop_back();
if (VV.size() > 1) VV.erase(VV.begin());
if (!VV.empty()) VV.back().resize((size_t)cut({e}));
if (!VV.empty()) V[{k}] = VV.front();
if (!VV.empty()) {{ V[{k}] = std::move(VV.back()); VV.pop_back(); }}
VV.insert(VV.begin(), V[{k}]);
for (auto &v : VV) v.push_back(1.f);
std::sort(VV.begin(), VV.end(), [](const auto &a, const auto &b) {{ return a.size() < b.size(); }});
M[(int)few({e})] = cut({e});
M.erase((int)few({e}));
{{ auto found = M.find((int)few({e})); if (found != M.end()) L[{k}] = found->second; }}
for (auto &entry : M) L[{k}] += entry.second;
MV[(int)few({e})].resize((size_t)cut({e}));
MV.erase((int)few({e}));
U[{k}] = std::make_unique<Box>(cut({e}));
if ({b}) U[{k}] = std::make_unique<Wide>(cut({e}));
U[{k}] = std::move(U[{j}]);
U[{k}].reset();
if (U[{k}]) L[{j}] = U[{k}]->size();
S[{k}] = std::make_shared<Box>(cut({e}));
S[{k}] = S[{j}];
S[{k}].reset();
L[{k}] = S[{j}].use_count();
T.append((size_t)few({e}), 'x');
T.clear();
{{ std::string t = std::to_string({e}); L[{k}] = (long)t.size(); }}
{{ long c = cut({e}); std::function<long(long)> f = [c, &V](long x) {{ V[{k}].resize((size_t)c); return x + c; }}; L[{j}] = f(L[{k}]); }}
try {{ if ({b}) throw (long){e}; V[{k}].push_back(1.f); }} catch (long v) {{ L[{j}] = v; }}
""".strip().splitlines()


class Operator:
    """One random body. The share of data in integers and conditions is drawn once, so that many operators have none."""

    def __init__(self, seed, cpp):
        self.random = random.Random(seed)
        self.statements = STATEMENTS + STATEMENTS_CPP if cpp else STATEMENTS
        self.locals = f"{LOCALS} {LOCALS_CPP}" if cpp else LOCALS
        self.data = self.random.choice([0, 0, 0.05, 0.3])
        self.left = self.random.choice([8, 14, 22, 30])
        self.indices, self.branches = [], 0

    def simple(self):
        return self.random.choice(["n", "m", str(self.random.randrange(1, 20)), *self.indices])

    def integer(self, depth=0):
        draw = self.random.random
        if draw() < self.data / 2:
            return self.random.choice([f"(long)(AT(in, {self.simple()}) * 8)", f"(long)AT(flags, {self.simple()})"])
        kind = draw()
        if depth > 2 or kind < 0.35:
            slot = self.random.randrange(4)
            return self.random.choice([self.simple(), self.simple(), f"L[{slot}]", f"L[{slot}]", f"C[{slot}]", "level", *self.indices])
        one = self.integer(depth + 1)
        if kind < 0.8:
            return f"({one} {self.random.choice('+-*&^|')} {self.integer(depth + 1)})"
        if kind < 0.9:
            return f"({one} >> {self.random.randrange(1, 4)})"
        return f"({self.condition(depth + 1)} ? {one} : {self.integer(depth + 1)})"

    def condition(self, depth=0):
        slot, kind = self.random.randrange(4), self.random.random()
        if kind < self.data:
            return self.random.choice([f"AT(in, {self.simple()}) > 0.5f", f"A[{slot}][1] > 0", f"(AT(flags, {self.simple()}) & 1)"])
        if kind > 0.8:
            return self.random.choice([f"P[{slot}] != 0", "list != 0"])
        return f"{self.integer(depth + 1)} {self.random.choice(['<', '>', '==', '!=', '<='])} {self.integer(depth + 1)}"

    def element(self):
        """What is written into an array of floats."""
        if self.random.random() < self.data:
            return f"AT(in, {self.simple()})"
        return self.random.choice(["1.5f", f"(float)({self.simple()})"])

    def block(self):
        return [f"  {line}" for _ in range(self.random.randrange(1, 4)) for line in self.statement()]

    def statement(self):
        self.left -= 1
        kind = self.random.random()
        if kind < 0.1 and len(self.indices) < 2 and self.left > 0:
            index = f"i{len(self.indices)}"
            head = f"for (long {index} = 0; {index} < few({self.integer()}); ++{index}) {{"
            self.indices.append(index)
            body = self.block()
            if self.random.random() < 0.2:
                body.append(f"  if ({self.condition()}) {self.random.choice(['break', 'continue'])};")
            self.indices.pop()
            return [head, *body, "}"]
        if kind < 0.2 and self.branches < 3 and self.left > 0:
            self.branches += 1
            lines = [f"if ({self.condition()}) {{", *self.block(), "}"]
            if self.random.random() < 0.4:
                lines += ["else {", *self.block(), "}"]
            self.branches -= 1
            return lines
        text = self.random.choice(self.statements)
        values = {"k": self.random.randrange(4), "j": self.random.randrange(4)}
        # Each {e} is another integer.
        for name, make in (("e", self.integer), ("s", self.simple), ("b", self.condition),
                           ("d", self.element)):
            while f"{{{name}}}" in text:
                text = text.replace(f"{{{name}}}", make(), 1)
        return [text.format(**values) if "{k}" in text or "{j}" in text or "{{" in text else text]

    def function(self, name):
        lines = []
        while self.left > 0:
            lines += self.statement()
        body = "\n".join(f"  {line}" for line in lines)
        return f"void {name}(const float *in, const int *flags, long n, long m, float *out) {{\n  {self.locals}\n  (void)flags;\n{body}{EPILOGUE}"


def program(seed, cpp):
    draw = random.Random(seed)
    noinline = "__attribute__((noinline))" if draw.random() < 0.5 else ""
    const = "const" if draw.random() < 0.7 else ""
    names = [f"op{k}" for k in range(OPERATORS)]
    linkage = 'extern "C" ' if cpp else ""
    operators = [linkage + Operator(f"{seed}.{name}", cpp).function(name) for name in names]
    return "\n".join([PROLOGUE_CPP if cpp else PROLOGUE, CALLEES.replace("NOINLINE", noinline).replace("CONST", const), *operators,
                      MAIN.replace("OPERATORS", ", ".join(names))])


if __name__ == "__main__":
    print(program(int(sys.argv[1]), sys.argv[2] == "cpp"))
