#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape plan: every task keeps the limit by a prediction of its own, no grid needs fewer tasks, the least memory that is
named succeeds, and wrong requests get one line."""

import itertools
import json
import os
import random
import re
import subprocess
import time

from bad_input import complaint
from emit import SOURCE
from toolchain import main

OPERATORS = SOURCE + """
OPERATOR void chosen(const int *in, int n, float *out) {
  std::vector<float> copy(static_cast<std::size_t>(in[0]) + n);
  for (int i = 0; i < n; ++i) out[i] = copy[i];
}
OPERATOR std::vector<float> twice(const std::vector<float> &in) {
  std::vector<float> result(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) result[i] = 2 * in[i];
  return result;
}
struct Section { int ni, nx; const float *data; };
OPERATOR void seen(const Section &section, float *out) {
  const std::size_t n = static_cast<std::size_t>(section.ni) * section.nx;
  std::vector<float> copy(section.data, section.data + n);
  for (std::size_t i = 0; i < n; ++i) out[i] = copy[n - 1 - i];
}
OPERATOR void stacked(const float *in, int traces, int samples, float *out) {
  std::vector<float> sums(samples);
  for (int i = 0; i < traces; ++i)
    for (int j = 0; j < samples; ++j) sums[j] += in[i * samples + j];
  for (int j = 0; j < samples; ++j) out[j] = sums[j];
}
OPERATOR void line(const float *in, long n, float *out) {
  std::vector<float> copy(in, in + n);
  for (long i = 0; i < n; ++i) out[i] = copy[n - i - 1];
}
OPERATOR void blank(const void *in, int n, void *out) {
  const long *list = static_cast<const long *>(in);
  std::vector<char> copy(n);
  for (int i = 0; i < n; ++i) copy[i] = list[list[i]];
  for (int i = 0; i < n; ++i) static_cast<char *>(out)[i] = copy[n - 1 - i];
}
OPERATOR void drawn(const float *table, const int *in, int n, float *out) {
  for (int i = 0; i < n; ++i) out[i] = table[in[i]];
}
"""
PROBLEMS = 60
REQUESTED, IN, OUT = 8, 4, 4  # of smooth, bytes per element


def chunks(extent, count, align):
    """The rule of the contract, written again: even numbers of aligned units; a last unit that is short stands last."""
    units = -(-extent // align)
    if count > units:
        return None
    each, more = divmod(units, count)
    if extent % align == 0:
        lengths = [each + 1] * more + [each] * (count - more)
    else:
        lengths = [each] * (count - more) + [each + 1] * more
    lengths = [align * length for length in lengths]
    lengths[-1] -= sum(lengths) - extent
    return lengths


def tasks_along(lengths, halo):
    """What tasks read along an axis."""
    last = len(lengths) - 1
    return [length + halo * ((at > 0) + (at < last)) for at, length in enumerate(lengths)]


def worker_most(tasks, halo, whole, task, use):
    """The bound of docs/chunks.md for results that are stored as they come, with elements as the unit of sizes."""
    together, share = min(use["threads"], tasks), -(-tasks // use["workers"])
    neighbours = halo and tasks > 1 and not use["storage"]
    held = together * (REQUESTED + OUT + IN) * task
    if neighbours:
        held += -(-IN * whole * share // tasks) + IN * task
    if (not use["storage"] or together > 1) and tasks > use["threads"]:
        held += OUT * task
    return use["held"] + held + -(-held // 64)


def fewest_by_trying(extents, split, halos, aligns, use, limit, multiple):
    best = None
    axes = []
    for name, extent in extents.items():
        counts = range(1, -(-extent // aligns.get(name, 1)) + 1) if name in split else [1]
        usable = []
        for count in counts:
            lengths = chunks(extent, count, aligns.get(name, 1))
            if lengths and (count == 1 or min(lengths) >= max(1, halos.get(name, 0))):
                usable.append((count, max(tasks_along(lengths, halos.get(name, 0))), count > 1 and halos.get(name, 0) > 0))
        axes.append(usable)
    whole = 1
    for extent in extents.values():
        whole *= extent
    for grid in itertools.product(*axes):
        tasks, task = 1, 1
        for count, length, _ in grid:
            tasks, task = tasks * count, task * length
        if tasks % multiple == 0 and (best is None or tasks < best):
            if worker_most(tasks, any(each[2] for each in grid), whole, task, use) <= limit:
                best = tasks
    return best


def written(values):
    return ",".join(f"{name}={value}" for name, value in values.items())


def problem(seed):
    draw = random.Random(seed)
    extents = {name: draw.randint(1, 40) for name in ("ni", "nx", "ns")}
    split = draw.sample(sorted(extents), draw.randint(1, 3))
    halos = {name: min(extents[name], draw.randint(0, 3)) for name in split if draw.random() < 0.5}
    aligns = {name: draw.randint(1, 8) for name in split if draw.random() < 0.2}
    use = {"workers": draw.randint(1, 4), "threads": draw.randint(1, 3), "held": draw.choice([0, 5000]), "storage": draw.random() < 0.5}
    whole = extents["ni"] * extents["nx"] * extents["ns"]
    limit = use["held"] + 64 + int(60 * whole * 10 ** -draw.uniform(0, 2.5))
    return extents, split, halos, aligns, use, limit


def random_problem(tools, seed):
    """Complaints about one plan."""
    extents, split, halos, aligns, use, limit = problem(seed)
    given = ["plan", "ops.o", "--operator", "smooth", "--shape", written(extents), "--split", ",".join(split), "--memory", limit,
             "--workers", use["workers"], "--threads", use["threads"], "--held", use["held"], "--json",
             "--source", "storage" if use["storage"] else "blocks"]
    given += ["--halo", written(halos)] if halos else []
    given += ["--align", written(aligns)] if aligns else []
    done = tools.run(tools.bin / "memshape", *given)
    fewest = fewest_by_trying(extents, split, halos, aligns, use, limit, 1)
    what = f"problem {seed} ({' '.join(map(str, given))})"
    if fewest is None:
        return [] if done.returncode == 1 else [f"{what}: status {done.returncode}, and nothing fits"]
    if done.returncode != 0:
        return [f"{what}: status {done.returncode}, and {fewest} tasks fit: {done.stderr}"]
    plan, wrong = json.loads(done.stdout), []
    full = -(-fewest // (use["workers"] * use["threads"])) * use["workers"] * use["threads"]
    if fewest_by_trying(extents, split, halos, aligns, use, limit, use["workers"] * use["threads"]) == full and plan["tasks"] != full:
        wrong.append(f"{what}: {plan['tasks']} tasks, and {full} make full waves")
    if not fewest <= plan["tasks"] <= max(1.05 * full, full + 1):
        wrong.append(f"{what}: {plan['tasks']} tasks, and {fewest} fit")
    for name, extent in extents.items():
        if sum(plan["chunks"][name]) != extent or (name not in split and len(plan["chunks"][name]) > 1):
            wrong.append(f"{what}: chunks of {name}: {plan['chunks'][name]}")
        if aligns.get(name) and any(sum(plan["chunks"][name][:at]) % aligns[name] for at in range(len(plan["chunks"][name]))):
            wrong.append(f"{what}: chunks of {name} are not aligned: {plan['chunks'][name]}")
    if plan["worker"]["upper_bytes"] > limit or abs(plan["utilisation"] - plan["worker"]["upper_bytes"] / limit) > 1e-9:
        wrong.append(f"{what}: {plan['worker']}, {plan['utilisation']}")
    return wrong


def largest_of(plan, halos):
    longest = {name: max(tasks_along(lengths, halos.get(name, 0))) for name, lengths in plan["chunks"].items()}
    return longest == plan["largest_task"]["shape"]


def planned(tools, *arguments, status=0):
    done = tools.run(tools.bin / "memshape", "plan", *arguments)
    assert done.returncode == status, (arguments, done)
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


def cube_of_a_survey(tools):
    """651 x 951 x 462 samples: the divisibility rule that people use makes 10.6 million tasks of it."""
    shape, halos = "ni=651,nx=951,ns=462", {"ni": 6, "nx": 6, "ns": 6}
    plan = planned(tools, "ops.o", "--operator", "smooth", "--shape", shape, "--split", "ni,nx,ns", "--halo", written(halos),
                   "--memory", "2GB", "--json")
    asked = tools.run(tools.bin / "memshape", "predict", "ops.o", "--operator", "smooth", "--shape",
                      written(plan["largest_task"]["shape"]), "--json")
    upper = json.loads(asked.stdout)["heap"]["upper_bytes"]
    wrong = []
    if not 2 <= plan["tasks"] <= 150:
        wrong.append(f"a cube takes {plan['tasks']} tasks")
    if not largest_of(plan, halos) or plan["largest_task"]["upper_bytes"] != upper:
        wrong.append(f"the largest task is not that of the chunks: {plan['largest_task']}, {upper}")
    if plan["next_larger"]["worker_bytes"] <= 2_000_000_000:
        wrong.append(f"the next larger chunks fit, too: {plan['next_larger']}")
    return wrong


def petabyte(tools):
    begin = time.monotonic()
    with subprocess.Popen([tools.bin / "memshape", "plan", "ops.o", "--operator", "smooth", "--shape", "ni=65536,nx=61000,ns=62537",
                           "--split", "ni,nx,ns", "--halo", "ni=4,nx=4,ns=4", "--memory", "500MB", "--workers", "100", "--json"],
                          cwd=tools.scratch, stdout=subprocess.PIPE) as started:
        plan = json.loads(started.stdout.read())
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = status
    took, kilobytes = time.monotonic() - begin, used.ru_maxrss
    wrong = []
    if plan["tasks"] < 5_000_000 or plan["tasks"] > 1.05 * plan["fewest_tasks"]["lower_bound"]:
        wrong.append(f"a petabyte takes {plan['tasks']} tasks: {plan['fewest_tasks']}")
    if kilobytes > 200 * 1024:
        wrong.append(f"the plan of a petabyte took {kilobytes} KiB")
    if took > 10:  # a second on a machine that does nothing else
        wrong.append(f"the plan of a petabyte took {took:.1f} s")
    # Along one axis each chunk stands in the JSON.
    with subprocess.Popen([tools.bin / "memshape", "plan", "ops.o", "--operator", "line", "--shape", "n=250000000000000", "--split", "n",
                           "--memory", "500MB", "--json"], cwd=tools.scratch, stdout=subprocess.PIPE) as started:
        plan = json.loads(started.stdout.read())
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = status
    if len(plan["chunks"]["n"]) != plan["tasks"] or plan["tasks"] < 5_000_000 or used.ru_maxrss > 200 * 1024:
        wrong.append(f"the plan of a line of a petabyte: {plan['tasks']} tasks, {used.ru_maxrss} KiB")
    return wrong


def least_memory(tools):
    wrong = []
    for name, given in (("smooth", ["--shape", "ni=100,nx=90,ns=80", "--split", "ni,nx", "--halo", "ni=3"]),
                        ("smooth", ["--shape", "ni=100,nx=90,ns=80", "--split", "ni", "--max-tasks", "3", "--held", "1MB"]),
                        ("smooth", ["--shape", "ni=100,nx=90,ns=80", "--split", "ni", "--sink", "gather"]),
                        ("picks", ["--shape", "ni=3000,nx=400", "--split", "nx", "--threads", "2"]),
                        ("chosen", ["--shape", "n=5000", "--split", "n", "--max-tasks", "7"]),
                        ("twice", ["--shape", "in=5000", "--split", "in", "--max-tasks", "7"])):
        done = tools.run(tools.bin / "memshape", "plan", "ops.o", "--operator", name, *given, "--memory", "1")
        numbers = [int(each) for each in re.findall(r"\d+", done.stderr)]
        if done.returncode != 1 or done.stdout or len(numbers) != 1 or done.stderr.count("\n") != 1:
            wrong.append(f"{name} {given} with one byte: {done}")
            continue
        planned(tools, "ops.o", "--operator", name, *given, "--memory", numbers[0])
        if name != "chosen":  # bounded by data, which has no law
            less = numbers[0] - 1 if name in ("smooth", "twice") else numbers[0] * 9 // 10  # by their formulas to the byte
            refused = tools.run(tools.bin / "memshape", "plan", "ops.o", "--operator", name, *given, "--memory", less)
            if refused.returncode != 1:
                wrong.append(f"{name} {given}: less than the least succeeds: {refused}")
    # Beyond 2^53, where a double has no room for each byte.
    large = ["ops.o", "--operator", "line", "--shape", f"n={2**55 + 1}", "--split", "n", "--max-tasks", "1"]
    asked = tools.run(tools.bin / "memshape", "plan", *large, "--memory", "1", "--json")
    planned(tools, *large, "--memory", json.loads(asked.stdout)["least_memory_bytes"])
    nothing = planned(tools, "ops.o", "--operator", "smooth", "--shape", "ni=9,nx=9,ns=9", "--split", "ni", "--memory", "1", "--json",
                      status=1)
    if nothing["feasible"] is not False or nothing["least_memory_bytes"] < 81:
        wrong.append(f"nothing fits: {nothing}")
    return wrong


def several_objects(tools):
    """Each has extents of its own: what a task is handed is a sum."""
    wrong = []
    for memory in (30_000, 100_000, 500_000, 3_000_000):
        fewest = None
        for along_a in range(1, 2001):
            for along_b in range(1, 2000 // along_a + 1):
                a, b, tasks = -(-3000 // along_a), -(-2000 // along_b), along_a * along_b
                held = 4 * a * b + 4 * (a + b) + (4 * a * b if tasks > 1 else 0)
                if (fewest is None or tasks < fewest) and held + -(-held // 64) <= memory:
                    fewest = tasks
        plan = planned(tools, "ops.o", "--operator", "outer", "--shape", "a=3000,b=2000", "--split", "a,b", "--memory", memory, "--json")
        if not plan["tasks"] == plan["fewest_tasks"]["tasks"] == fewest or not plan["fewest_tasks"]["proven"]:
            wrong.append(f"{plan['tasks']} tasks of two objects in {memory} bytes, and {fewest} fit: {plan['fewest_tasks']}")
    return wrong


def what_is_said(tools):
    wrong = []
    smooth = ["ops.o", "--operator", "smooth", "--shape", "ni=100,nx=90,ns=80", "--split", "ni,nx", "--memory", "10MB"]
    page = planned(tools, *smooth)
    for words in ("keeps chunks from being larger", "The next larger chunks", "chunks=(", "% of its memory"):
        if words not in page:
            wrong.append(f"the page does not say {words!r}:\n{page}")
    bound = planned(tools, *smooth, "--json")["worker"]["upper_bytes"]
    units = {"slurm": (r"#SBATCH --mem=(\d+)M\n", 1 << 20), "htcondor": (r"request_memory = (\d+)M\n", 1 << 20),
             "snakemake": (r"mem_mb=(\d+)\n", 10 ** 6), "nextflow": (r"memory '(\d+) MB'\n", 1 << 20),
             "kubernetes": (r"memory: (\d+)Mi\n", 1 << 20), "ray": (r"memory=(\d+)\)\n", 1),
             "galaxy": (r"mem: (\d+)\n", 10 ** 9)}
    for system, (words, unit) in units.items():
        text = planned(tools, *smooth, "--format", system)
        asked = re.search(words, text)
        if not asked or not 0 <= int(asked[1]) * unit - bound < unit:
            wrong.append(f"no {bound} bytes in words of {words} for {system}:\n{text}")
    gathered = planned(tools, "ops.o", "--operator", "smooth", "--shape", "ni=100,nx=90,ns=80", "--split", "ni,nx", "--memory", "4MB",
                       "--json")
    if not any("gathered" in note for note in gathered["notes"]):
        wrong.append(f"no word about the gathered result: {gathered['notes']}")
    open_ended = planned(tools, "ops.o", "--operator", "chosen", "--shape", "n=100000", "--split", "n", "--memory", "100KB", "--json")
    if open_ended["worker"]["upper_bytes"] is not None or open_ended["largest_task"]["upper_bytes"] is not None \
            or not any("without a bound" in note for note in open_ended["notes"]):
        wrong.append(f"a bound where data sets none: {open_ended}")
    bounded = planned(tools, "ops.o", "--operator", "picks", "--shape", "ni=3000,nx=4000", "--split", "ni,nx", "--memory", "10MB", "--json")
    if bounded["largest_task"]["upper_bytes"] != 12 * 4000 * bounded["largest_task"]["shape"]["ni"] or bounded["tasks"] > 62:
        wrong.append(f"not the bound of a branch that data decides: {bounded}")
    stacked = planned(tools, "ops.o", "--operator", "stacked", "--shape", "traces=50,samples=4000", "--split", "samples", "--memory", "10MB",
                      "--json")
    task = stacked["largest_task"]
    if (task["input_bytes"], task["output_bytes"]) != (4 * 50 * task["shape"]["samples"], 4 * task["shape"]["samples"]):
        wrong.append(f"not the bytes that are used behind pointers: {task}")
    views = planned(tools, "ops.o", "--operator", "seen", "--shape", "section.ni=50,section.nx=40", "--split", "section.ni", "--memory",
                    "10MB", "--json")
    if views["largest_task"]["input_bytes"] != 4 * 40 * views["largest_task"]["shape"]["section.ni"]:
        wrong.append(f"not the bytes of a view: {views['largest_task']}")
    returned = planned(tools, "ops.o", "--operator", "twice", "--shape", "in=1000000", "--split", "in", "--memory", "10MB", "--json")
    if returned["largest_task"]["input_bytes"] != 4 * returned["largest_task"]["shape"]["in.size"] \
            or returned["largest_task"]["output_bytes"] != returned["largest_task"]["input_bytes"]:
        wrong.append(f"not the bytes of an argument and a result: {returned}")
    steps = planned(tools, "ops.o", "--operator", "smoothed", "--shape", "in=1000000,times=50", "--split", "in", "--memory", "10MB", "--json")
    if list(steps["chunks"]) != ["in.size"] or steps["largest_task"]["shape"]["times"] != 50:
        wrong.append(f"a number of steps is taken for an extent: {steps['chunks']}, {steps['largest_task']}")
    return wrong


def wrong_requests(tools):
    def asked(*more, shape="ni=10,nx=9,ns=8", split="ni", memory="1MB"):
        return ["ops.o", "--operator", "smooth", "--shape", shape, "--split", split, "--memory", memory, *more]
    requests = (("unknown symbol", asked(split="ni,nq"), ["nq", "ni, nx, ns"]),
                ("halo of an unknown symbol", asked("--halo", "nq=1"), ["nq"]),
                ("alignment of an unknown symbol", asked("--align", "nq=8"), ["nq"]),
                ("halo longer than the axis", asked("--halo", "ni=11"), ["ni", "11", "10"]),
                ("negative halo", asked("--halo", "ni=-1"), ["ni=-1"]),
                ("word as halo", asked("--halo", "ni=two"), ["ni=two"]),
                ("alignment of zero", asked("--align", "ni=0"), ["ni=0"]),
                ("zero-length axis", asked(shape="ni=0,nx=9,ns=8"), ["'ni'", "no elements"]),
                ("zero-length axis that is not split", asked(shape="ni=3,nx=0,ns=8"), ["'nx'"]),
                ("missing symbol", asked(shape="ni=3,nx=4"), ["ns"]),
                ("symbol twice", asked(split="ni,ni"), ["ni", "twice"]),
                ("no workers", asked("--workers", "0"), ["--workers"]),
                ("no threads", asked("--threads", "-1"), ["--threads"]),
                ("no tasks", asked("--max-tasks", "0"), ["--max-tasks"]),
                ("no size", asked(memory="much"), ["much"]),
                ("no memory at all", asked(memory="0"), ["memory"]),
                ("negative memory", asked(memory="-5"), ["-5"]),
                ("memory beyond 64 bits", asked(memory="1e30"), ["1e30"]),
                ("more chunks than can be listed", ["ops.o", "--operator", "line", "--shape", f"n={2**63 - 1}", "--split", "n",
                                                    "--memory", "1500MB", "--json"], ["'n'", "--memory"]),
                ("one number of element bytes", asked("--element-bytes", "4"), ["IN,OUT"]),
                ("negative element bytes", asked("--element-bytes", "4,-4"), ["IN,OUT"]),
                ("unknown sink", asked("--sink", "drain"), ["drain", "gather"]),
                ("unknown format", asked("--format", "xml"), ["xml", "slurm"]),
                ("two formats", asked("--format", "slurm", "--json"), ["slurm"]),
                ("no memory", ["ops.o", "--operator", "smooth", "--shape", "ni=1,nx=1,ns=1", "--split", "ni"], ["--memory"]),
                ("nothing to split", ["ops.o", "--operator", "smooth", "--shape", "ni=1,nx=1,ns=1", "--memory", "1MB"], ["--split"]),
                ("a pointer that data leads through", ["ops.o", "--operator", "drawn", "--shape", "n=9", "--split", "n", "--memory", "1MB"],
                 ["'table'", "--extents", "--element-bytes"]),
                ("elements without a size", ["ops.o", "--operator", "blank", "--shape", "n=9", "--split", "n", "--memory", "1MB"],
                 ["'in'", "--element-bytes"]))
    return [complaint(what, tools.run(tools.bin / "memshape", "plan", *given), words) for what, given, words in requests]


def check(tools):
    (tools.scratch / "ops.cpp").write_text(OPERATORS)
    tools.build(*tools.compiler("ops.cpp"), "-O2", "-c", tools.plugin, "ops.cpp", "-o", "ops.o")
    complaints = [*cube_of_a_survey(tools), *petabyte(tools), *least_memory(tools), *several_objects(tools), *what_is_said(tools),
                  *wrong_requests(tools)]
    for seed in range(PROBLEMS):
        complaints += random_problem(tools, seed)
    return [line for line in complaints if line]


if __name__ == "__main__":
    main(check)
