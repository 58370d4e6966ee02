# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What km_swap.py found, as tables in Markdown, and the bars that it was to pass."""

from statistics import median

MIB = 1 << 20
OURS = "next-use"
# Time of an arm / time of next-use in the same round: least median, least of any round.
BARS = {"random": {"swap": (5.0, 3.0), "swap, hints": (2.0, 0), "mmap": (1.5, 0), "lru": (1.25, 0)},
        "sequential": {"swap": (3.5, 3.0), "swap, hints": (2.0, 0), "mmap": (1.5, 0), "lru": (1.25, 0)}}
MOST_OVER_IN_CORE, MOST_OVER_LEAST_READS, MOST_OVER_BUDGET = 2.5, 1.05, 1.05
TIMES = {"training": lambda said: said["train_s"],
         "loading and training": lambda said: said["load_s"] + said["train_s"]}


def table(heads, rows):
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def times(values):
    values = sorted(values)
    return f"{median(values):.1f} ({values[0]:.1f} - {values[-1]:.1f})" if values else "-"


def in_mib(count):
    return "-" if count is None else f"{count / MIB:.0f}"


def verdict(met):
    return "met" if met else "MISSED"


def ratios(ends, arm, seconds):
    """Of the rounds in which both have ended."""
    return [seconds(ends[number, arm]["said"]) / seconds(ends[number, OURS]["said"])
            for number, other in sorted(ends) if other == arm and (number, OURS) in ends]


def time_rows(order, lines, ends, seconds):
    for arm in dict.fromkeys(line["arm"] for line in lines):
        runs, found = [line["said"] for (_, which), line in ends.items() if which == arm], ratios(ends, arm, seconds)
        if arm in BARS[order]:
            middle, least = BARS[order][arm]
            bar = f">= {middle}" + (f", each >= {least}" if least else "")
            met = verdict(bool(found) and median(found) >= middle and min(found) >= least)
        elif arm == "in core":
            bar = f">= {1 / MOST_OVER_IN_CORE:.2f}"
            met = verdict(bool(found) and median(found) >= 1 / MOST_OVER_IN_CORE)
        else:
            bar = met = ""
        yield [arm, len(runs), times(map(seconds, runs)), f"{median(found):.2f}" if found else "-",
               f"{min(found):.2f}" if found else "-", f"{max(found):.2f}" if found else "-", bar, met]


def memory_rows(lines):
    for arm in dict.fromkeys(line["arm"] for line in lines):
        runs = [line for line in lines if line["arm"] == arm]
        said = [line["said"] for line in runs if "said" in line]

        def most(name, of):
            return max((each[name] for each in of if each.get(name) is not None), default=None)

        yield [arm, in_mib(most("group_peak_bytes", runs)), in_mib(most("with_swap_peak_bytes", runs)),
               most("at_limit", runs), most("major_faults", runs), in_mib(most("peak_budget_bytes", said)),
               "/".join(sorted({str(each["reads"]) for each in said})), in_mib(most("written_bytes", said)),
               most("kills", runs), sum(line["end"] != "ok" for line in runs)]


def checks(lines):
    """(what is checked, whether it holds) of one order."""
    ended = [line for line in lines if "said" in line]
    ours = [line for line in ended if line["arm"] == OURS]
    lru = [line for line in ended if line["arm"] == "lru"]
    store = ours + lru
    if not ours:
        return [("next-use has ended", False)]
    reads, least = max(line["said"]["reads"] for line in ours), ours[0]["simulated"]["least"]
    found = [
        (f"reads of next-use: {reads}, Belady's minimum is {least}: {reads / least:.3f} <= {MOST_OVER_LEAST_READS}",
         reads <= MOST_OVER_LEAST_READS * least),
        ("bytes written <= the data",
         all(line["said"]["written_bytes"] <= line["said"]["executor_bytes"] for line in store)),
        ("all runs have ended, and none was killed", all(line["end"] == "ok" and not line["kills"] for line in lines)),
        ("peak of the group <= the limit (next-use, lru)",
         all(line["group_peak_bytes"] is not None and line["group_peak_bytes"] <= line["limit"] for line in store)),
        (f"executors in memory <= {MOST_OVER_BUDGET} times the budget",
         all(line["said"]["peak_budget_bytes"] <= MOST_OVER_BUDGET * line["budget"] for line in store)),
    ]
    if lru:
        reads = {line["said"]["reads"] for line in lru}
        found.append((f"reads of lru: {sorted(reads)}, its simulation's are {lru[0]['simulated']['lru']}",
                      reads == {lru[0]["simulated"]["lru"]}))
    core = [line["said"] for line in ended if line["arm"] == "in core"]
    same = {(line["said"]["objective"], line["said"]["centroid_checksum"]) for line in ended}
    found.append(("objective and centroids of all runs are those in core", bool(core) and len(same) == 1))
    return found


def summary(lines):
    """The status of the program: 1 where a bar was missed."""
    missed = 0
    for order in dict.fromkeys(line["order"] for line in lines):
        here = [line for line in lines if line["order"] == order]
        ends = {(line["round"], line["arm"]): line for line in here if "said" in line}
        shape, limit = here[0]["shape"], here[0]["limit"]
        print(f"### {order}: {shape['executors']} executors, limit {in_mib(limit)} MiB, "
              f"budget {here[0]['budget']} bytes\n")
        for what, seconds in TIMES.items():
            rows = list(time_rows(order, here, ends, seconds))
            missed += sum(row[-1] == "MISSED" for row in rows)
            table([what, "runs", "s, median (all)", "ratio to next-use, median", "least", "most", "bar", ""], rows)
        table(["MiB, counts; the most", "peak of the group", "with swap", "times at the limit", "major faults",
               "executors", "reads", "written", "kills", "failed"], memory_rows(here))
        found = checks(here)
        missed += sum(not met for _, met in found)
        for what, met in found:
            print(f"- {verdict(met)}: {what}")
        print(f"- load when runs began: median {median(line['load'] for line in here):.1f}, "
              f"at most {max(line['load'] for line in here):.1f}"
              + ("" if all(line["cold"] for line in here) else "; the page cache could not be dropped") + "\n")
    print(f"{missed} missed")
    return int(missed > 0)
