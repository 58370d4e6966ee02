#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape schedule: what is answered is replayed here from the document alone; wrong graphs get one line and status 2. That
no order, schedule or eviction does better is held by the unit tests of the model, on graphs whose every order is tried."""

import itertools
import json
import math
import random
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

from toolchain import BIN, SETUP, ran, run_tests

MOST = 2**63 - 1


def node(name, output=1, inputs=(), **more):
    return {"id": name, "output_bytes": output, "inputs": list(inputs), **more}


def graph(*nodes):
    return {"schema": "memshape.graph/1", "nodes": list(nodes)}


def random_graph(generator, count, shared):
    names = [f"n{i}" for i in range(count)]
    nodes = []
    for i, name in enumerate(names):
        inputs = [other for other in names[:i] if generator.random() < 0.3] if shared else []
        nodes.append(node(name, generator.randint(0, 20), inputs, work_bytes=generator.choice([0, 0, generator.randint(0, 20)]),
                          time=generator.randint(0, 4)))
    if not shared:
        for i, name in enumerate(names[:-1]):
            nodes[generator.randint(i + 1, min(count - 1, i + 4))]["inputs"].append(name)
    readers = [source for each in nodes for source in each["inputs"]]
    for each in nodes:
        places = [source for source in each["inputs"] if readers.count(source) == 1]
        if places and generator.random() < 0.5:
            each["in_place"] = generator.choice(places)
    generator.shuffle(nodes)
    return graph(*nodes)


class Model:
    """The memory model of the contract, written once more."""

    def __init__(self, document):
        self.nodes = {each["id"]: each for each in document["nodes"]}
        self.consumers = {name: [] for name in self.nodes}
        for name, each in self.nodes.items():
            for source in each["inputs"]:
                self.consumers[source].append(name)

    def output(self, name):
        return self.nodes[name]["output_bytes"]

    def work(self, name):
        return self.nodes[name].get("work_bytes", 0)

    def own(self, name):
        """What is held while the node runs beyond what is held before: its output lies beside an input, or in its place."""
        place = self.nodes[name].get("in_place")
        before = self.output(place) if place else 0
        return max(before, self.output(name)) - before + self.work(name)

    def time(self, name):
        return self.nodes[name].get("time", 1)

    def live(self, ended):
        return {name for name in ended if not self.consumers[name] or any(to not in ended for to in self.consumers[name])}

    def held(self, ended, name):
        return sum(map(self.output, self.live(ended))) + self.own(name)

    def peak(self, order):
        ended, peak = set(), 0
        for name in order:
            assert all(source in ended for source in self.nodes[name]["inputs"]) and name not in ended
            peak = max(peak, self.held(ended, name))
            ended.add(name)
        assert len(ended) == len(self.nodes)
        return peak

    def need(self, name):
        return sum(map(self.output, self.nodes[name]["inputs"])) + self.own(name)

    def parallel_peak(self, found, processors):
        """Of starts and processors; at one instant ends come before starts. Nodes take time."""
        start, end = found["start"], {name: begin + self.time(name) for name, begin in found["start"].items()}
        assert sorted(start) == sorted(self.nodes) and [start[name] for name in found["order"]] == sorted(start.values())
        assert found["makespan"] == max(end.values())
        peak = 0
        for now in set(start.values()):
            ended = {name for name in self.nodes if end[name] <= now}
            running = [name for name in self.nodes if start[name] <= now < end[name]]
            assert all(source in ended for name in running for source in self.nodes[name]["inputs"])
            assert len({found["processor"][name] for name in running}) == len(running) <= processors
            peak = max(peak, sum(map(self.output, self.live(ended))) + sum(self.own(name) for name in running))
        return peak

    def peak_with_evictions(self, found):
        resident, ended, peak, evictions = {}, set(), 0, list(found["evictions"])
        for name in found["order"]:
            assert all(source in ended for source in self.nodes[name]["inputs"])
            resident.update({source: self.output(source) for source in self.nodes[name]["inputs"]})
            peak = max(peak, sum(resident.values()) + self.own(name))
            ended.add(name)
            resident[name] = self.output(name)
            resident = {each: size for each, size in resident.items() if each in self.live(ended)}
            while evictions and evictions[0]["after"] == name:
                leaving = evictions.pop(0)
                assert 0 < leaving["bytes"] <= resident[leaving["id"]]
                resident[leaving["id"]] -= leaving["bytes"]
        assert not evictions and found["io_bytes"] == sum(each["bytes"] for each in found["evictions"])
        return peak


def random_tree(generator, count):
    document = random_graph(generator, count, shared=False)
    for each in document["nodes"]:
        each.pop("in_place", None)
        each["time"] += 0.25
        each["speedup"] = generator.choice([0, 0.5, 0.9, 1])
    return document


class MappedModel(Model):
    """What a mapping holds, from its members alone: a node's bytes lie evenly on its processors."""

    def __init__(self, document, found, processors):
        super().__init__(document)
        self.runs, self.processors = found["mapping"], processors
        assert sorted(self.runs) == sorted(self.nodes) == sorted(found["order"])
        for name, run in self.runs.items():
            first, last = run["processors"]
            assert 0 <= first <= last < processors
            time = self.time(name) / (last - first + 1) ** self.nodes[name].get("speedup", 1)
            assert math.isclose(run["end"], run["start"] + time, rel_tol=1e-12)
            assert all(self.runs[source]["end"] <= run["start"] for source in self.nodes[name]["inputs"])
        assert found["makespan"] == max(run["end"] for run in self.runs.values())
        assert found["start"] == {name: self.runs[name]["start"] for name in found["order"]}
        assert list(found["start"].values()) == sorted(found["start"].values())
        assert math.ceil(max(max(each) for each in self.moments())) == found["peak_bytes_per_processor"]
        assert max(sum(each) for each in self.moments()) == found["peak_bytes"]

    def moments(self):
        """Bytes of each processor at each start; at one instant ends come before starts. Nodes take time."""
        for now in {run["start"] for run in self.runs.values()}:
            held, busy = [Fraction(0)] * self.processors, set()
            ended = {name for name, run in self.runs.items() if run["end"] <= now}
            live = self.live(ended)
            for name, run in self.runs.items():
                running = run["start"] <= now < run["end"]
                on = range(run["processors"][0], run["processors"][1] + 1)
                assert not (running and busy & set(on))
                busy |= set(on) if running else set()
                size = self.output(name) * (running or name in live) + self.work(name) * running
                for each in on:
                    held[each] += Fraction(size, len(on))
            yield held

    def best_postorder(self):
        """The least peak of all orders that end each subtree before they begin the next."""
        def orders(name):
            for inputs in itertools.permutations(self.nodes[name]["inputs"]):
                for parts in itertools.product(*map(list, map(orders, inputs))):
                    yield [*itertools.chain(*parts), name]
        (root,) = (name for name in self.nodes if not self.consumers[name])
        return min(map(self.peak, orders(root)))


class Schedule(unittest.TestCase):
    def setUp(self):
        self.file = Path(self.enterContext(tempfile.TemporaryDirectory())) / "graph.json"

    def run_on(self, document, *words):
        self.file.write_text(document if isinstance(document, str) else json.dumps(document))
        return ran(SETUP.bin / "memshape", "schedule", self.file, *words)

    def answer(self, document, *words):
        done = self.run_on(document, "--json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_answers_hold_what_they_say(self):
        generator = random.Random(1)
        for i in range(40):
            document = random_graph(generator, generator.randint(2, 9), shared=i % 2)
            for each in document["nodes"]:
                each["time"] += 0.5
            model, best = Model(document), self.answer(document)
            peak, least = best["peak_bytes"], max(map(model.need, model.nodes))
            self.assertEqual((best["schema"], best["optimal"], best["lower_bound_bytes"]), ("memshape.schedule/1", True, peak))
            self.assertEqual(model.peak(best["order"]), peak)
            processors, memory = generator.randint(2, 4), peak + generator.randint(0, 40)
            found = self.answer(document, "--processors", processors, "--memory", memory)
            self.assertEqual(model.parallel_peak(found, processors), found["peak_bytes"])
            self.assertLessEqual(found["peak_bytes"], min(memory, found["worst_parallel_bytes"]))
            self.assertGreaterEqual(found["makespan"], found["makespan_lower_bound"])
            self.assertNotIn("optimal", found)
            memory, written = generator.randint(least, max(least, peak + 3)), 0
            for words in (), ("--whole-outputs",):
                found = self.answer(document, "--objective", "io", "--memory", memory, *words)
                self.assertEqual(model.peak_with_evictions(found), found["peak_bytes"])
                self.assertLessEqual(found["peak_bytes"], memory)
                self.assertEqual(found["io_bytes"] == 0, memory >= peak)
                self.assertGreaterEqual(found["io_bytes"], written)
                written = found["io_bytes"]
            self.assertTrue(all(each["bytes"] == model.output(each["id"]) for each in found["evictions"]))
            for words, needed in [(("--processors", processors), peak), (("--edges",), peak), (("--objective", "io"), least),
                                  (("--objective", "io", "--whole-outputs"), least)]:
                if needed > 0:
                    done = self.run_on(document, "--json", *words, "--memory", needed - 1)
                    self.assertEqual((done.returncode, json.loads(done.stdout)["least_memory_bytes"]), (1, needed))

    def test_the_objective_may_be_given(self):
        document = graph(node("a", 10, work_bytes=90, time=2), node("b", 10, work_bytes=80, time=2), node("c", 5, ["a", "b"]))
        self.assertEqual(self.answer(document, "--processors", 2)["makespan"], 3)
        self.assertEqual(self.answer(document, "--processors", 2, "--memory", 189)["makespan"], 5)
        one = self.answer(document, "--objective", "makespan")
        self.assertEqual((one["makespan"], one["processor"]), (5, {"a": 0, "b": 0, "c": 0}))
        peak = self.answer(document, "--processors", 2, "--objective", "peak")
        self.assertEqual((peak["peak_bytes"], peak["makespan"], peak["optimal"]), (100, 5, True))
        self.assertNotIn("start", self.answer(document))

    def test_whole_outputs_leave_where_parts_may_not(self):
        # While b runs there is room for 9 bytes of a: 41 of them leave, or all 50.
        document = graph(node("a", 50), node("x", 1, ["a"]), node("b", 10, ["x"], work_bytes=60), node("c", 20, ["a", "b"]))
        for words, size in [((), 41), (("--whole-outputs",), 50)]:
            found = self.answer(document, "--objective", "io", "--memory", 80, *words)
            self.assertEqual((found["io_bytes"], found["evictions"]), (size, [{"id": "a", "bytes": size, "after": "x"}]))
        self.assertIn("1 eviction of whole outputs\n",
                      self.run_on(document, "--objective", "io", "--memory", 80, "--whole-outputs").stdout)

    def test_edges_keep_every_execution_within_the_memory(self):
        two = graph(node("a", 10), node("b", 1, ["a"]), node("c", 10), node("d", 1, ["c"]))
        for memory, edges, most in (12, 1, 12), (22, 0, 22):
            found = self.answer(two, "--edges", "--memory", memory)
            self.assertEqual((len(found["edges"]), found["edges_worst_parallel_bytes"], found["edges_longest_path"]),
                             (edges, most, 4 if edges else 2))
            self.assertEqual({name: found[name] for name in found if not name.startswith("edges")}, self.answer(two, "--memory", memory))
        page = self.run_on(two, "--edges", "--memory", 12)
        self.assertRegex(page.stdout, r"with edges .* 1 edge more\n(.*\n)+  Edges\n    '[bd]'  before '[ac]'\n$")
        dot = self.run_on(two, "--edges", "--memory", 12, "--format", "dot")
        self.assertRegex(dot.stdout, r'"[bd]" -> "[ac]" \[style=dashed')
        html = self.run_on(two, "--edges", "--memory", 12, "--format", "html")
        self.assertIn("All edges that keep the memory", html.stdout)

    def test_mappings_hold_what_they_say(self):
        generator = random.Random(6)
        for i in range(40):
            document = random_tree(generator, generator.randint(1, 25))
            processors = generator.choice([1, 2, 3, 4, 7, 16, 60])
            words = ("--processors", processors, "--mapping")
            every, least = [self.answer(document, *words, way) for way in ("all-to-all", "proportional")], None
            for way, found in zip(("all-to-all", "proportional"), every):
                peak = found["peak_bytes_per_processor"]
                MappedModel(document, found, processors)
                self.assertEqual((found["method"], "processor" in found), (way, False))
                self.assertEqual(self.answer(document, *words, way, "--memory", peak), found)
                if peak > 1:
                    done = self.run_on(document, "--json", *words, way, "--memory", peak - 1)
                    self.assertEqual((done.returncode, json.loads(done.stdout)["least_memory_bytes"]), (1, peak))
            self.assertEqual(self.answer(document, *words, "memory-aware")["mapping"], every[1]["mapping"])
            refused = self.run_on(document, "--json", *words, "memory-aware", "--memory", 1)
            least = json.loads(refused.stdout)["least_memory_bytes"] if refused.returncode else 1
            self.assertLessEqual(least, max(1, every[0]["peak_bytes_per_processor"]))
            for memory in {least, generator.randint(least, 3 * least), max(1, every[1]["peak_bytes_per_processor"])}:
                found = self.answer(document, *words, "memory-aware", "--memory", memory)
                MappedModel(document, found, processors)
                self.assertLessEqual(found["peak_bytes_per_processor"], memory)

    def test_a_mapping_to_all_holds_its_part_of_the_best_postorder(self):
        generator = random.Random(7)
        for _ in range(30):
            document = random_tree(generator, generator.randint(1, 7))
            found = self.answer(document, "--processors", 3, "--mapping", "all-to-all")
            peak = MappedModel(document, found, 3).best_postorder()
            self.assertEqual((found["peak_bytes"], found["peak_bytes_per_processor"]), (peak, -(-peak // 3)))

    def test_a_proportional_mapping_may_hold_any_multiple(self):
        # One processor for each leaf, which then needs all its memory there.
        star = graph(*(node(f"leaf {i}", 0, work_bytes=6400) for i in range(64)), node("root", 0, [f"leaf {i}" for i in range(64)]))
        words = ("--processors", 64, "--mapping")
        self.assertEqual([self.answer(star, *words, way)["peak_bytes_per_processor"] for way in ("all-to-all", "proportional")], [100, 6400])
        done = self.run_on(star, "--json", *words, "proportional", "--memory", 6399)
        self.assertEqual(json.loads(done.stdout)["least_memory_bytes"], 6400)
        self.assertEqual(self.answer(star, *words, "memory-aware", "--memory", 100)["peak_bytes_per_processor"], 100)

    def test_subtrees_get_processors_by_their_work(self):
        document = graph(node("a", time=6), node("b", time=2), node("c", 1, ["a", "b"], time=4, speedup=0.5))
        found = self.answer(document, "--processors", 4, "--mapping", "proportional")
        self.assertEqual(found["mapping"], {"a": {"processors": [0, 2], "start": 0, "end": 2}, "b": {"processors": [3, 3], "start": 0, "end": 2},
                                            "c": {"processors": [0, 3], "start": 2, "end": 4}})
        page = self.run_on(document, "--processors", 4, "--mapping", "proportional")
        self.assertRegex(page.stdout, r"on each processor .* 2 bytes +at most\n(.*\n)+ +3 +'c' +at 2 +on processors 0 to 3\n")

    def test_a_mapping_of_a_forest_and_of_nothing(self):
        forest = graph(node("a", 8), node("b", 4), node("c", 4))
        found = self.answer(forest, "--processors", 2, "--mapping", "proportional")
        MappedModel(forest, found, 2)
        self.assertEqual(found["makespan"], 2)
        self.assertEqual(self.answer(graph(), "--mapping", "all-to-all")["mapping"], {})

    def test_a_mapped_output_takes_the_place_of_an_input_on_the_same_processors(self):
        chain = graph(node("load", 100), node("scale", 100, ["load"], in_place="load"))
        self.assertEqual(self.answer(chain, "--processors", 2, "--mapping", "all-to-all")["peak_bytes_per_processor"], 50)
        both = graph(node("load", 100), node("other", 0), node("scale", 100, ["load", "other"], in_place="load"))
        found = self.answer(both, "--processors", 2, "--mapping", "proportional")
        self.assertEqual((found["peak_bytes"], found["peak_bytes_per_processor"]), (200, 150))

    def held_by_each(self, document, found):
        """Bytes of each processor of the document, and of all, at most: an output lies where it was made, and a node on another
        processor holds a copy while it runs. At one instant ends come before starts. Nodes take time."""
        model, start, on = Model(document), found["start"], found["processor"]
        end = {name: begin + model.time(name) / document["processors"][on[name]].get("speed", 1) for name, begin in start.items()}
        self.assertEqual((found["makespan"], found["end"]), (max(end.values()), {name: end[name] for name in found["order"]}))
        most, together = [0] * len(document["processors"]), 0
        for now in set(start.values()):
            ended = {name for name in start if end[name] <= now}
            running = [name for name in start if start[name] <= now < end[name]]
            self.assertTrue(all(source in ended for name in running for source in model.nodes[name]["inputs"]))
            self.assertEqual(len({on[name] for name in running}), len(running))
            held = [0] * len(most)
            for name in model.live(ended) | set(running):
                held[on[name]] += model.output(name)
            for name in running:
                held[on[name]] += model.work(name) + sum(model.output(source) for source in model.nodes[name]["inputs"] if on[source] != on[name])
            most, together = list(map(max, most, held)), max(together, sum(held))
        return most, together

    def test_processors_that_differ_keep_their_memory(self):
        generator, spread = random.Random(8), 0
        for i in range(60):
            document = random_graph(generator, generator.randint(1, 14), shared=i % 2)
            for each in document["nodes"]:
                each.pop("in_place", None)
                each["time"] += 0.5
            least = self.answer(document)["peak_bytes"]
            document["processors"] = [{"memory": generator.randint(least // 2, 2 * least), "speed": generator.choice([0.5, 1, 4])}
                                      for _ in range(generator.randint(1, 4))]
            done = self.run_on(document, "--json")
            found = json.loads(done.stdout)
            if done.returncode:
                self.assertEqual((done.returncode, found["least_memory_bytes"]), (1, least))
                self.assertTrue(all(each["memory"] < least for each in document["processors"]))
                document["processors"][0]["memory"] = least
                found = self.answer(document)
            self.assertEqual(self.held_by_each(document, found), (found["peak_bytes_of_each"], found["peak_bytes"]))
            self.assertTrue(all(held <= each["memory"] for held, each in zip(found["peak_bytes_of_each"], document["processors"])))
            spread += len(set(found["processor"].values())) > 1
            self.assertIn("Which node runs where", self.run_on(document, "--format", "html").stdout)
        self.assertGreater(spread, 20)
        # The fast one has no room for b beside what it keeps.
        document = {**graph(node("a", 60, time=8), node("b", 60, time=8), node("c", 1, ["a", "b"], time=1)),
                    "processors": [{"memory": 130, "speed": 8}, {"memory": 200, "speed": 4}, {"speed": 0.1, "memory": 59}]}
        found = self.answer(document)
        self.assertEqual((found["makespan"], found["peak_bytes_of_each"][2]), (2.125, 0))

    def test_too_little_memory_is_told_with_the_least_that_does(self):
        document = graph(node("a", 40, work_bytes=10), node("b", 30, ["a"]), node("c", 20, ["a"]), node("d", 5, ["b", "c"]))
        done = self.run_on(document, "--json", "--memory", 89)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout), {"schema": "memshape.schedule/1", "feasible": False, "least_memory_bytes": 90})
        self.assertRegex(done.stderr, r"^memshape: .* 90 bytes\n$")
        self.assertEqual(self.answer(document, "--memory", 90)["peak_bytes"], 90)
        done = self.run_on(document, "--memory", 89)
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_sums_are_exact_to_the_byte(self):
        half = 2**62
        document = graph(node("a", half), node("b", half - 1, ["a"]), node("c", 0, ["b"], work_bytes=half))
        self.assertEqual(self.answer(document)["peak_bytes"], 2**63 - 1)
        self.assertEqual(self.answer(document, "--memory", 2**63 - 1)["peak_bytes"], 2**63 - 1)
        self.assertEqual(self.run_on(document, "--memory", 2**63 - 2).returncode, 1)

    def test_an_output_in_place_of_an_input(self):
        chain = graph(node("load", 100), node("scale", 100, ["load"], in_place="load"),
                      node("cut", 40, ["scale"], in_place="scale", work_bytes=5), node("sum", 1, ["cut"]))
        found = self.answer(chain)
        self.assertEqual((found["peak_bytes"], found["worst_parallel_bytes"]), (105, 105))
        self.assertEqual(self.answer(chain, "--objective", "io", "--memory", 105)["io_bytes"], 0)
        self.assertEqual(self.run_on(chain, "--memory", 104).returncode, 1)
        self.assertIn("40 bytes + 5 work", self.run_on(chain, "--format", "dot").stdout)
        self.assertIn("105", self.run_on(chain, "--format", "svg").stdout)
        # Both outputs are as large as bytes can be: together they are no larger.
        self.assertEqual(self.answer(graph(node("a", MOST), node("b", MOST, ["a"], in_place="a")))["peak_bytes"], MOST)

    def test_no_nodes_and_one_node(self):
        self.assertEqual(self.answer(graph())["order"], [])
        self.assertEqual(self.answer(graph(node("only \u00e9\"\\", 7)))["order"], ["only \u00e9\"\\"])

    def test_the_page_shows_the_order(self):
        done = self.run_on(graph(node("first", 5), node("second", 6, ["first"])))
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"peak .* 11 bytes +no order holds less\n")
        self.assertLess(done.stdout.index("first"), done.stdout.index("second"))

    def refused(self, document, *words, says):
        done = self.run_on(document, *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"^memshape: [^\n]*\n$")
        self.assertIn(says, done.stderr)

    def test_wrong_graphs_get_one_line(self):
        good = node("a")
        for document, says in [
                ("", "JSON"), ("[]", "object"), ("{", "JSON"), ("null", "object"), ("{}", "schema"), ('{"nodes": []}', "schema"),
                ('{"schema": "memshape.graph/2", "nodes": []}', "memshape.graph/1"), ('{"schema": "memshape.graph/1"}', "nodes"),
                (json.dumps(graph(good)) + "x", "JSON"), ('{"schema": "memshape.graph/1", "nodes": {}}', "array"),
                (graph(good, good), "'a'"), (graph(node("a", 1, ["a"])), "circle"),
                (graph(node("a", 1, ["b"]), node("b", 1, ["c"]), node("c", 1, ["a"])), "circle"),
                (graph(node("a", 1, ["z"])), "'z'"), (graph(good, node("b", 1, ["a", "a"])), "twice"),
                (graph(node("a", -1)), "output_bytes"), (graph(node("a", 2**63)), "output_bytes"), (graph(node("a", 2**70)), "output_bytes"),
                (graph(node("a", 1.5)), "output_bytes"), (graph(node("a", 2.0)), "output_bytes"), (graph(node("a", "1")), "output_bytes"),
                (graph(node("a", None)), "output_bytes"), (graph(node("a", True)), "output_bytes"), (graph(node("a", 1, work_bytes=-1)), "work_bytes"),
                (graph(node("a", 1, time=-1)), "time"), (graph(node("a", 1, time=float("nan"))), "JSON"),
                (graph(node("a", 1, time="x")), "time"), (graph(node("a", 1, speedup=-0.5)), "speedup"),
                (graph(node("a", 1, speedup="1")), "speedup"), (graph(node("a", 1, speedup=None)), "speedup"), (json.dumps(graph(node("a", 1, time=7))).replace("7", "1e999"), "JSON"),
                (graph({"id": "a"}), "output_bytes"), (graph({"output_bytes": 1}), "id"), (graph(node(7)), "id"), (graph("a"), "object"),
                (graph({**good, "inputs": "b"}), "inputs"), (graph({**good, "inputs": [1]}), "inputs"), (graph({**good, "work_byte": 1}), "work_byte"),
                ('{"schema": "memshape.graph/1", "nodes": [{"id": "a", "id": "b", "output_bytes": 1}]}', "twice"),
                (graph(good, node("b", 1, ["a"], in_place="c")), "none of its inputs"), (graph(good, node("b", 1, in_place="a")), "none"),
                (graph(node("a", in_place="a")), "none of its inputs"), (graph(good, node("b", 1, ["a"], in_place=1)), "in_place"),
                (graph(good, node("b", 1, ["a"], in_place="a"), node("c", 1, ["a"])), "copy"),
                (graph(good, node("b", 1, ["a"], in_place="a"), node("c", 1, ["a"], in_place="a")), "copy"),
                (graph(node("a", MOST), node("b", 1)), "63 bits"), (graph(node("a", MOST, work_bytes=1)), "63 bits")]:
            with self.subTest(document=document):
                self.refused(document, says=says)
        for words, says in [(["--memory", "x"], "--memory"), (["--memory", "-1"], "--memory"),
                            (["--memory", ""], "--memory"), (["--processors", "0"], "--processors"),
                            (["--processors", "x"], "--processors"), (["--objective", "least"], "--objective"),
                            (["--objective", "io"], "--memory"), (["--whole-outputs"], "--objective io"),
                            (["--objective", "io", "--memory", "9", "--processors", "2"], "--processors"),
                            (["--mapping", "best"], "--mapping"), (["--mapping", "proportional", "--processors", "0"], "--processors"),
                            (["--mapping", "proportional", "--objective", "peak"], "--objective"),
                            (["--mapping", "all-to-all", "--edges", "--memory", "9"], "--edges"),
                            (["--mapping", "memory-aware", "--memory", "x"], "--memory"),
                            (["--edges"], "--memory"), (["--edges", "--objective", "io", "--memory", "9"], "--objective io")]:
            with self.subTest(words=words):
                self.refused(graph(good), *words, says=says)
        self.refused(graph(good, node("b", 1, ["a"]), node("c", 1, ["a"])), "--mapping", "all-to-all", says="trees")
        for processors, says in [([], "processors"), (3, "array"), ([3], "object"), ([{"memory": -1}], "memory"), ([{"speed": 0}], "speed"),
                                 ([{"memory": 1.5}], "memory"), ([{"speeds": 1}], "speeds"), ([{"speed": "1"}], "speed"), ([{}] * 1001, "1000")]:
            self.refused({**graph(good), "processors": processors}, says=says)
        for words in ("--memory", "9"), ("--processors", "2"), ("--mapping", "all-to-all"), ("--objective", "peak"):
            self.refused({**graph(good), "processors": [{}]}, *words, says="leave out")
        endless = graph(node("a", time=1e308), node("b", 1, ["a"], time=1e308))
        self.refused(endless, "--processors", 2, says="no finite sum")
        self.refused({**graph(node("a", time=1e300)), "processors": [{"speed": 1e-300}]}, says="no finite sum")
        self.assertEqual(self.answer(endless)["peak_bytes"], 2)

    def test_a_graph_that_is_too_large_is_refused_before_it_is_kept(self):
        with self.file.open("w") as out:
            out.write('{"schema": "memshape.graph/1", "nodes": [')
            for i in range(4_000_001):
                out.write(f'{"," if i else ""}{{"id":"{i}","output_bytes":1}}')
            out.write("]}")
        done = ran(SETUP.bin / "memshape", "schedule", self.file)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^memshape: .*4000000 nodes\n$")

    def test_edges_of_a_large_graph_are_refused(self):
        self.refused(graph(*(node(f"n{i}") for i in range(1001))), "--edges", "--memory", 2000, says="1000 nodes")

    def test_a_chain_of_a_million_nodes(self):
        count = 1_000_000
        with self.file.open("w") as out:
            out.write('{"schema": "memshape.graph/1", "nodes": [{"id":"0","output_bytes":3}')
            for i in range(1, count):
                out.write(f',{{"id":"{i}","output_bytes":{i % 7},"inputs":["{i - 1}"]}}')
            out.write("]}")
        done = ran(SETUP.bin / "memshape", "schedule", self.file, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((found["peak_bytes"], found["optimal"], len(found["order"])), (11, True, count))


if __name__ == "__main__":
    run_tests(__doc__, bin=BIN)
