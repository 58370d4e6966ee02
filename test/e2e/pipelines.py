#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape schedule predicts the peak of a pipeline from its operators. Then the operators are called in its order, each
result freed after its last reader, and memshape run measures: to the byte the same, where nothing but shapes decides."""

import json

from toolchain import main

ARRAYS = """
#include <cmath>
#include <vector>
#define OPERATOR __attribute__((annotate("memshape.operator")))
using Array = std::vector<float>;
using Front = std::vector<double>;
"""

# A small migration: shots are read, imaged, stacked; gathers are picked; the model is updated. What a call takes besides
# its result differs from stage to stage.
MIGRATION = """
OPERATOR Array velocity(int ni, int nx) { return Array(std::size_t(ni) * nx, 2.0f); }
OPERATOR Array shot(int nx, int ns) {
  Array trace(std::size_t(nx) * ns);
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i] = std::sin(0.01f * float(i));
  return trace;
}
OPERATOR Array image(const Array &traces, const Array &model, int ni, int nx, int ns) {
  Array source(std::size_t(ni) * nx), receiver(std::size_t(ni) * nx), before(std::size_t(ni) * nx);
  for (int s = 0; s < ns; ++s)
    for (std::size_t i = 0; i < before.size(); ++i) {
      before[i] = receiver[i];
      receiver[i] = 0.5f * receiver[i] + traces[(i * 7 + std::size_t(s)) % traces.size()] * model[i];
      source[i] += before[i];
    }
  Array result(std::size_t(ni) * nx);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = source[i] * receiver[i];
  return result;
}
OPERATOR Array stack(const Array &a, const Array &b, const Array &c) {
  Array sum(a);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i] + c[i];
  return sum;
}
OPERATOR Array picks(const Array &stacked, int ni, int nx) {
  Array smooth(stacked), gradient(stacked.size());
  for (std::size_t i = 1; i < smooth.size(); ++i) gradient[i] = smooth[i] - smooth[i - 1];
  Array found(static_cast<std::size_t>(nx));
  for (int x = 0; x < nx; ++x)
    for (int i = 0; i < ni; ++i) found[x] = std::fmax(found[x], gradient[std::size_t(i) * nx + x]);
  return found;
}
OPERATOR Array updated(const Array &model, const Array &picked) {
  Array next(model);
  for (std::size_t i = 0; i < next.size(); ++i) next[i] += picked[i % picked.size()];
  return next;
}
"""

# A multifrontal factorisation: a front is assembled from what its children leave, pivots are eliminated, and the rest is
# handed on. Factors are written out, and not kept.
FACTORISATION = """
static Front eliminated(Front front, int order, int pivots) {
  for (int k = 0; k < pivots; ++k)
    for (int i = k + 1; i < order; ++i)
      for (int j = k + 1; j < order; ++j)
        front[std::size_t(i) * order + j] -= 1e-3 * front[std::size_t(i) * order + k] * front[std::size_t(k) * order + j];
  const int rest = order - pivots;
  Front left(std::size_t(rest) * rest);
  for (int i = 0; i < rest; ++i)
    for (int j = 0; j < rest; ++j) left[std::size_t(i) * rest + j] = front[std::size_t(i + pivots) * order + j + pivots];
  return left;
}
OPERATOR Front leaf(int order, int pivots) { return eliminated(Front(std::size_t(order) * order, 1.0), order, pivots); }
OPERATOR Front inner(const Front &a, const Front &b, int order, int pivots) {
  Front front(std::size_t(order) * order, 1.0);
  for (std::size_t i = 0; i < a.size(); ++i) front[i % front.size()] += a[i];
  for (std::size_t i = 0; i < b.size(); ++i) front[front.size() - 1 - i % front.size()] += b[i];
  return eliminated(std::move(front), order, pivots);
}
"""

# Normal equations of a library's matrices: workspace of its products, blocked by the sizes of caches, is part of the peak.
MATRICES = """
#include <Eigen/Dense>
#define OPERATOR __attribute__((annotate("memshape.operator")))
using Array = Eigen::MatrixXd;
"""
EQUATIONS = """
OPERATOR Array design(int rows, int cols) {
  Array a(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) a(i, j) = 1.0 / (1 + i + 2 * j);
  return a;
}
OPERATOR Array normal(const Array &a) { return a.transpose() * a; }
OPERATOR Array damped(const Array &n, const Array &a) {
  Array sum = n + Array::Identity(n.rows(), n.cols());
  return sum * (a.transpose() * a);
}
OPERATOR Array combined(const Array &x, const Array &y) { return x * y - y; }
"""


class Pipeline:
    """Nodes in the order of the document: (id, operator, shape, inputs, the words of the call after its inputs)."""

    def __init__(self, name, head, source, kind, flags=()):
        self.name, self.head, self.source, self.kind, self.flags, self.nodes = name, head, source, kind, flags, []

    def add(self, name, operator, inputs=(), integers=(), **shape):
        self.nodes.append((name, operator, {key.replace("_", "."): value for key, value in shape.items()}, list(inputs), list(integers)))
        return self

    def document(self):
        return json.dumps({"schema": "memshape.graph/1", "nodes": [
            {"id": name, "operator": operator, "file": f"{self.name}.o", "shape": shape, "inputs": inputs}
            for name, operator, shape, inputs, _ in self.nodes]})

    def program(self, order):
        """Calls the operators in an order. Each result is held until its last reader has ended."""
        by_name = {each[0]: each for each in self.nodes}
        readers = {name: [each[0] for each in self.nodes if name in each[3]] for name in by_name}
        declared = [line.split(")")[0].removeprefix("OPERATOR ") + ");" for line in self.source.splitlines() if line.startswith("OPERATOR ")]
        body, ended = [f"std::optional<{self.kind}> {', '.join(by_name)};"], set()
        for name in order:
            _, operator, _, inputs, integers = by_name[name]
            body.append(f"{name} = {operator}({', '.join([*(f'*{each}' for each in inputs), *map(str, integers)])});")
            ended.add(name)
            body += [f"{each}.reset();" for each in inputs if ended.issuperset(readers[each])]
        return (f"{self.head}#include <optional>\n" + "\n".join(declared) +
                "\nOPERATOR void pipeline(int) {\n  " + "\n  ".join(body) + "\n}\nint main() { pipeline(1); }\n")


def migration(ni, nx, ns):
    found = Pipeline("migration", ARRAYS, MIGRATION, "Array")
    found.add("model", "velocity", [], [ni, nx], ni=ni, nx=nx)
    images = []
    for i in range(3):
        found.add(f"shot{i}", "shot", [], [nx + i, ns], nx=nx + i, ns=ns)
    for i in range(3):
        found.add(f"image{i}", "image", [f"shot{i}", "model"], [ni, nx, ns], traces_size=(nx + i) * ns, model_size=ni * nx, ni=ni, nx=nx, ns=ns)
        images.append(f"image{i}")
    found.add("stacked", "stack", images, a_size=ni * nx, b_size=ni * nx, c_size=ni * nx)
    found.add("picked", "picks", ["stacked"], [ni, nx], stacked_size=ni * nx, ni=ni, nx=nx)
    return found.add("result", "updated", ["model", "picked"], model_size=ni * nx, picked_size=nx)


def factorisation(depth):
    """A binary tree of uneven fronts: the deeper, the smaller."""
    found, number = Pipeline("factorisation", ARRAYS, FACTORISATION, "Front"), iter(range(10 ** 6))

    def front(level, weight):
        if level == 0:
            name, order, pivots = f"f{next(number)}", 20 + weight % 13, 7
            found.add(name, "leaf", [], [order, pivots], order=order, pivots=pivots)
        else:
            (a, na), (b, nb) = front(level - 1, 3 * weight + 1), front(level - 1 - (weight % 3 == 0 and level > 1), 5 * weight + 2)
            name, order, pivots = f"f{next(number)}", 24 + 9 * level + weight % 17, 10 + 2 * level
            found.add(name, "inner", [a, b], [order, pivots], a_size=na, b_size=nb, order=order, pivots=pivots)
        return name, (order - pivots) ** 2

    front(depth, 1)
    found.nodes.sort(key=lambda each: each[1] != "leaf")  # in the order of the document all leaves wait
    return found


def equations(rows, cols):
    found = Pipeline("equations", MATRICES, EQUATIONS, "Array", ["-isystem", "/usr/include/eigen3"])
    whole = {"a_rows": rows, "a_cols": cols}
    square = {"x_rows": cols, "x_cols": cols, "y_rows": cols, "y_cols": cols}
    found.add("a", "design", [], [rows, cols], rows=rows, cols=cols).add("b", "design", [], [rows // 2, cols], rows=rows // 2, cols=cols)
    found.add("na", "normal", ["a"], **whole).add("nb", "normal", ["b"], a_rows=rows // 2, a_cols=cols)
    found.add("da", "damped", ["na", "a"], n_rows=cols, n_cols=cols, **whole)
    return found.add("s", "combined", ["nb", "da"], **square).add("t", "combined", ["s", "na"], **square)


def measured(tools, pipeline, order, name):
    """Bytes that the composed program holds at most, as memshape run counts them."""
    (tools.scratch / f"{name}.cpp").write_text(pipeline.program(order))
    tools.build(*tools.compiler("x.cpp"), "-O2", *pipeline.flags, tools.plugin, f"{name}.cpp", f"{pipeline.name}.o", "-o", name)
    done = tools.run(tools.bin / "memshape", "run", "--json", f"{name}.json", "--", f"./{name}")
    assert done.returncode == 0, done.stderr
    calls = [call for call in json.loads((tools.scratch / f"{name}.json").read_text())["calls"] if call["operator"] == "pipeline"]
    assert len(calls) == 1, calls
    return calls[0]["heap"]["peak_bytes"]


def check(tools):
    complaints = []
    for pipeline in migration(300, 200, 700), factorisation(5), equations(900, 400):
        (tools.scratch / f"{pipeline.name}.cpp").write_text(pipeline.head + pipeline.source)
        tools.build(*tools.compiler("x.cpp"), "-O2", *pipeline.flags, tools.plugin, "-c", f"{pipeline.name}.cpp", "-o", f"{pipeline.name}.o")
        (tools.scratch / "graph.json").write_text(pipeline.document())
        done = tools.run(tools.bin / "memshape", "schedule", "graph.json", "--json")
        if done.returncode or done.stderr:
            complaints.append(f"{pipeline.name}: status {done.returncode}: {done.stderr}")
            continue
        found = json.loads(done.stdout)
        if not found["optimal"] or "notes" in found:
            complaints.append(f"{pipeline.name}: not proved to be least: {found}")
        peak = measured(tools, pipeline, found["order"], pipeline.name + "-run")
        written = measured(tools, pipeline, [each[0] for each in pipeline.nodes], pipeline.name + "-written")
        print(f"{pipeline.name}: {len(pipeline.nodes)} nodes, predicted {found['peak_bytes']:,}, measured {peak:,} bytes; "
              f"in the order of the document {written:,}")
        if peak != found["peak_bytes"]:
            complaints.append(f"{pipeline.name}: predicted {found['peak_bytes']}, measured {peak}")
        if written < peak:
            complaints.append(f"{pipeline.name}: the order of the document holds {written}, less than {peak}")
    return complaints


if __name__ == "__main__":
    main(check)
