# Orders of graphs, reversals of chains. They are replayed in test/e2e: schedule.py and checkpoint.py.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re

import memshape
import networkx
import numpy
import pytest

#: Two reductions of large results: one after the other they hold 111 bytes, side by side 211.
TWO = {"load": ({"output_bytes": 10}, []), "left": ({"output_bytes": 100}, ["load"]), "a": ({"output_bytes": 1}, ["left"]),
       "right": ({"output_bytes": 100}, ["load"]), "b": ({"output_bytes": 1}, ["right"]), "sum": ({"output_bytes": 1}, ["a", "b"])}


def document(graph):
    return {"schema": "memshape.graph/1", "nodes": [{"id": name, **said, "inputs": inputs}
                                                    for name, (said, inputs) in graph.items()]}


def networkx_of(graph):
    made = networkx.DiGraph()
    for name, (said, _) in graph.items():
        made.add_node(name, label="of the user", **said)
    made.add_edges_from((each, name) for name, (_, inputs) in graph.items() for each in inputs)
    return made


def test_every_way_to_write_a_graph_has_the_same_answer(tmp_path):
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(document(TWO)))
    for graph in (TWO, document(TWO), networkx_of(TWO), file, str(file)):
        found = memshape.schedule(graph)
        assert sorted(found.order) == sorted(TWO) and found.optimal
        assert (found.peak_bytes, found.lower_bound_bytes, found.worst_parallel_bytes) == (111, 111, 211)
        assert found.held() == [10, 110, 111, 111, 102, 3] and max(found.held()) == found.peak_bytes
        assert found.makespan == 6 and set(found.processor.values()) == {0} and found.start[found.order[2]] == 2
        assert found.evictions is None and found.io_bytes is None


def test_ids_may_be_anything_and_numbers_those_of_numpy():
    graph = {("x", 0): ({"output_bytes": numpy.int64(3), "time": numpy.float32(2)}, []), 7: ({"output_bytes": 4}, [("x", 0)])}
    found = memshape.schedule(graph)
    assert found.order == (("x", 0), 7) and found.peak_bytes == 7 and found.start == {("x", 0): 0, 7: 2}
    assert found.output_bytes == {("x", 0): 3, 7: 4} and found.inputs == {("x", 0): (), 7: (("x", 0),)}


def test_outputs_take_the_place_of_inputs(tmp_path):
    graph = {"load": ({"output_bytes": 100}, []), "scale": ({"output_bytes": 100, "in_place": "load"}, ["load"]),
             "sum": ({"output_bytes": 1, "work_bytes": 4}, ["scale"])}
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(document(graph)))
    for each in (graph, document(graph), networkx_of(graph), file):
        found = memshape.schedule(each)
        assert found.held() == [100, 100, 105] and (found.peak_bytes, found.worst_parallel_bytes) == (105, 105)
        assert found.work_bytes["scale"] == 0 and found.in_place_bytes == {"scale": 100}
    numbered = memshape.schedule({("x", 0): ({"output_bytes": 3}, []), 7: ({"output_bytes": 4, "in_place": ("x", 0)}, [("x", 0)])})
    assert numbered.held() == [3, 4]


def test_a_memory_is_kept_or_the_least_is_said():
    assert memshape.schedule(TWO, memory=111).peak_bytes == 111
    with pytest.raises(memshape.DoesNotFit, match="is 111 bytes") as raised:
        memshape.schedule(TWO, memory=110)
    assert raised.value.least_bytes == 111
    exact = {"a": ({"output_bytes": 2**62 + 1}, [])}
    assert memshape.schedule(exact, memory=2**62 + 1).peak_bytes == 2**62 + 1
    with pytest.raises(memshape.DoesNotFit):
        memshape.schedule(exact, memory=2**62)


def test_processors_share_the_memory():
    found = memshape.schedule(TWO, processors=2)
    assert (found.makespan, found.makespan_lower_bound, found.peak_bytes) == (4, 4, 210)
    assert found.optimal is None and found.lower_bound_bytes is None
    assert [found.start[each] for each in found.order] == sorted(found.start.values())
    assert memshape.schedule(TWO, memory=111, processors=2).peak_bytes <= 111
    assert memshape.schedule(TWO, processors=2, objective="peak").peak_bytes == 111


def test_a_tree_runs_on_several_processors():
    tree = {"a": ({"output_bytes": 9, "time": 6}, []), ("b", 0): ({"output_bytes": 4, "time": 2}, []),
            "c": ({"output_bytes": 8, "time": 4, "speedup": 0.5}, ["a", ("b", 0)])}
    found = memshape.schedule(tree, processors=4, mapping="proportional")
    assert found.mapping == {"a": memshape.Mapped((0, 2), 0, 2), ("b", 0): memshape.Mapped((3, 3), 0, 2),
                             "c": memshape.Mapped((0, 3), 2, 4)}
    assert (found.makespan, found.peak_bytes, found.peak_bytes_per_processor, found.processor) == (4, 21, 6, None)
    assert found._repr_html_().count("<rect") == 8 and "on 4 processors" in found._repr_html_()
    assert memshape.schedule(tree, processors=4, mapping="memory-aware", memory=6).peak_bytes_per_processor == 6
    with pytest.raises(memshape.DoesNotFit) as raised:
        memshape.schedule(tree, processors=4, mapping="all-to-all", memory=5)
    assert raised.value.least_bytes == 6
    assert memshape.schedule(tree, processors=4).mapping is None


def test_processors_of_the_document_differ():
    found = memshape.schedule({**document(TWO), "processors": [{"memory": 211, "speed": 2}, {"memory": 120}]})
    assert found.makespan == 2.5 == max(found.end.values()) and found.peak_bytes_of_each[0] <= 211 and found.peak_bytes_of_each[1] <= 120
    assert "on 2 processors" in found._repr_html_()
    with pytest.raises(memshape.DoesNotFit) as raised:
        memshape.schedule({**document(TWO), "processors": [{"memory": 100}]})
    assert raised.value.least_bytes == 111


def test_what_does_not_fit_is_written_out():
    found = memshape.schedule(TWO, memory=110, objective="io")
    assert found.io_bytes == sum(each.bytes for each in found.evictions) == 2
    assert found.peak_bytes <= 110 and set(each.id for each in found.evictions) <= set(TWO)
    assert memshape.schedule(TWO, memory="1GiB", objective="io").evictions == ()
    whole = memshape.schedule(TWO, memory=110, objective="io", whole_outputs=True)
    assert [(each.id, each.bytes) for each in whole.evictions] == [("load", 10), ("b", 1)] and whole.io_bytes == 11


def test_edges_keep_any_execution_within_the_memory():
    found = memshape.schedule(TWO, memory=111, edges=True)
    assert found.edges == (("a", "right"),) or found.edges == (("b", "left"),)
    assert (found.edges_worst_parallel_bytes, found.edges_longest_path) == (111, 6)
    assert memshape.schedule(TWO, memory="1GiB", edges=True).edges == ()
    assert memshape.schedule(TWO, memory=111).edges is None


def test_nodes_that_name_an_operator_hold_what_is_predicted(program):
    smooth = memshape.open(program)["smooth"]
    shape = {"ni": 30, "nx": 20, "ns": 10}
    seen = smooth.predict(shape)
    for said in ({"operator": smooth, "shape": shape}, {"operator": "smooth", "file": program, "shape": shape}):
        found = memshape.schedule({"a": ({"output_bytes": 24000}, []), "b": (said, ["a"])})
        assert found.work_bytes["b"] == seen.upper_bytes and found.output_bytes["b"] == 4 * 30 * 20 * 10
        assert found.peak_bytes == 24000 + 24000 + seen.upper_bytes


@pytest.mark.parametrize("graph, words", [
    (3, "a graph is a dict"), ({"a": 3}, "no pair"), ({"a": ({}, "b")}, "no pair"), ({"a": ({}, [])}, "neither output_bytes"),
    ({"a": ({"output_bytes": 1}, ["b"])}, "no node has that id"), ({"a": ({"output_bytes": -1}, [])}, "whole number"),
    ({"a": ({"output_bytes": 1.5}, [])}, "whole number"), ({"a": ({"output_bytes": 2**63}, [])}, "whole number"),
    ({"a": ({"output_bytes": 1, "time": float("nan")}, [])}, "no document"),
    ({"a": ({"output_bytes": 1}, ["a"])}, "circle"), ({"a": ({"output_byte": 1}, [])}, "no member 'output_byte'"),
    ({"a": ({"output_bytes": 1}, []), "b": ({"output_bytes": 1}, ["a", "a"])}, "twice"),
    ({1: ({"output_bytes": 1}, []), "1": ({"output_bytes": 1}, [])}, "two nodes"),
    ({"a": ({"output_bytes": 1}, []), "b": ({"output_bytes": 1, "in_place": "c"}, ["a"])}, "none of its inputs"),
    ({"a": ({"output_bytes": 1}, []), "b": ({"output_bytes": 1, "in_place": []}, ["a"])}, "no ids"),
    ({"a": ({"output_bytes": object()}, [])}, "no number"), ({"a": ({"output_bytes": 1}, [[]])}, "no ids"),
    ({"schema": "other", "nodes": []}, "memshape.graph/1"), ({"schema": "memshape.graph/1"}, "no nodes"),
    ({"schema": "memshape.graph/1", "nodes": [{"id": "a", "output_bytes": 1, "inputs": 3}]}, "inputs is an array"),
    ({"a": ({"output_bytes": 2**63 - 1}, []), "b": ({"output_bytes": 1}, ["a"])}, "leave 63 bits"),
    (networkx.Graph(), "no directions"),
])
def test_graphs_that_are_none_are_one_clear_line(graph, words):
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.schedule(graph)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("given, words", [
    ({"processors": 0}, "processors"), ({"processors": 1.5}, "no integer"), ({"objective": "best"}, "one of peak"),
    ({"objective": "io"}, "needs a memory"), ({"whole_outputs": True}, "objective io"), ({"objective": "io", "memory": 9, "processors": 2}, "one node at a time"),
    ({"edges": True}, "need a memory"), ({"edges": True, "objective": "io", "memory": 9}, "by evictions"),
    ({"mapping": "best"}, "one of all-to-all, proportional and memory-aware"), ({"mapping": "proportional"}, "for trees"),
    ({"memory": "much"}, "no size"), ({"memory": -1}, "above 0"),
])
def test_requests_that_cannot_be_are_one_clear_line(given, words):
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.schedule(TWO, **given)
    assert "\n" not in str(raised.value)


def test_files_that_are_no_graph_are_one_clear_line(tmp_path):
    with pytest.raises(memshape.FileError, match="cannot be read"):
        memshape.schedule(tmp_path / "nowhere.json")
    for number, text in enumerate(("{", "[]", "", '{"schema": "memshape.graph/1", "nodes": [{"id": 3}]}')):
        file = tmp_path / f"{number}.json"
        file.write_text(text)
        with pytest.raises(memshape.ArgumentError) as raised:
            memshape.schedule(file)
        assert "\n" not in str(raised.value)


def test_schedules_and_checkpoints_are_text_and_pictures():
    found = memshape.schedule(TWO)
    assert str(found) == "6 tasks hold 111 bytes at most, which no order undercuts: " + found.method
    assert "<polygon" in found._repr_html_() and "111 B" in found._repr_html_()
    chain = memshape.checkpoint(6, slots=2)
    assert "<svg" in chain._repr_html_() and str(chain).startswith("6 steps are reversed for")


def bars(found):
    """What the parts of a picture say."""
    return re.findall(r"<title>(.*?)</title>", found._repr_html_(), re.S)


def test_what_each_processor_runs_is_drawn():
    found = memshape.schedule(TWO, processors=2)
    assert "on 2 processors" in found._repr_html_() and found.time == dict.fromkeys(TWO, 1)
    assert bars(found) == ["load: 0 to 1", "left: 1 to 2", "a: 2 to 3", "sum: 3 to 4", "right: 1 to 2", "b: 2 to 3"]
    hostile = {"<b>": ({"output_bytes": 1, "time": 1e308}, []), "&": ({"output_bytes": 1, "time": 5e-324}, [])}
    assert bars(memshape.schedule(hostile, processors=2)) == ["&lt;b&gt;: 0 to 1e+308", "&amp;: 0 to 4.94066e-324"]
    for time in 0, 5e-324, 1e307:
        same = {each: ({"output_bytes": 1, "time": time}, []) for each in range(9)}
        assert "nan" not in memshape.schedule(same, processors=2)._repr_html_()
    many = {each: ({"output_bytes": 1}, [each % 20] if each >= 20 else []) for each in range(2000)}
    drawn = memshape.schedule(many, processors=20)
    assert "4 further processors are not drawn" in drawn._repr_html_() and len(drawn._repr_html_()) < 1_000_000
    long = bars(memshape.schedule({each: ({"output_bytes": 1}, []) for each in range(2000)}, processors=2))
    assert len(long) == 400 and long[:2] == ["5 tasks from 0 on: 0 to 5", "5 tasks from 10 on: 5 to 10"]


def test_checkpoints_cost_and_hold_what_is_said():
    for steps, slots, again in ((1, 0, 0), (6, 2, 3), (10, 3, 6), (100, 5, 217)):
        found = memshape.checkpoint(steps=steps, slots=slots)
        assert found.peak_slots <= slots
        # Revolve's t(L, C) - (L - 1), with t = r L - binomial(C + r, C + 1), r the least with binomial(C + r, C) >= L.
        assert found.recomputed_steps == again and found.cost == 2 * steps + steps - 1 + found.recomputed_steps
        assert memshape.checkpoint(steps=steps, memory=slots * 8 or 1, state=8).recomputed_steps == found.recomputed_steps
    found = memshape.checkpoint(30, levels="ram:2,disk:20:2:1", forward=2, backward=3)
    assert found == memshape.checkpoint(30, levels=[("ram", 2), memshape.Level("disk", 20, 2, 1)], forward=2, backward=3)


def test_some_tapes_are_kept():
    found = memshape.checkpoint(1000, slots=60, tape=1, backward=0)
    assert (found.cost, memshape.checkpoint(1000, slots=60, backward=0).cost) == (1958, 2938)
    assert found.peak_tapes > 0 and found.optimal is None and ("tape", 998, "ram") in found.actions
    small = memshape.checkpoint(6, slots=2, tape=1)
    assert small.actions[-1] in (("backward", 0), ("rewind", 0, "ram")) and "tape" in str(small) and "<svg" in small._repr_html_()
    by_bytes = memshape.checkpoint(50, memory=1000, state=40, tape=60)
    assert by_bytes.optimal and by_bytes.actions == memshape.checkpoint(50, slots=50, state_slots=2, tape=3).actions
    with pytest.raises(memshape.DoesNotFit) as raised:
        memshape.checkpoint(50, memory=39, state=40, tape=60)
    assert raised.value.least_bytes == 40


def test_slots_come_from_the_prediction_of_a_step(program):
    looked_up = memshape.open(program)["looked_up"].predict(n=30)
    with pytest.raises(memshape.ArgumentError, match="'table' of 'looked_up' takes is not known"):
        memshape.checkpoint(6, memory=10**6, state=looked_up)
    grown = memshape.measured(lambda a: a + 1, ("n",), lambda n: (numpy.ones(n),)).predict(n=1000)
    found = memshape.checkpoint(6, memory=8000 + grown.upper_bytes + 2 * 8000, state=grown)
    assert found.state_bytes == 8000 and found.levels == (memshape.Level("ram", 2),)


@pytest.mark.parametrize("given, words", [
    ({}, "give one of"), ({"slots": 1, "levels": "ram:1"}, "give one of"), ({"slots": -1}, "slots from 0"),
    ({"slots": 1.5}, "no integer"), ({"steps": 0, "slots": 1}, "steps"), ({"memory": 8}, "state"), ({"slots": 1, "state": 1}, "state"),
    ({"levels": "ram"}, "levels are places"), ({"levels": "ram:x"}, "levels are places"), ({"levels": [("ram", 1), ("ram", 2)]}, "twice"),
    ({"levels": 3}, "levels are places"), ({"levels": [("ram", 1, -1, 0)]}, "costs from 0"), ({"slots": 1, "forward": "x"}, "forward"),
    ({"slots": 1, "backward": float("nan")}, "costs"), ({"memory": 8, "state": 0}, "above 0"),
])
def test_chains_that_cannot_be_are_one_clear_line(given, words):
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.checkpoint(**{"steps": 6, **given})
    assert "\n" not in str(raised.value)


def test_chains_without_a_slot_say_so():
    with pytest.raises(memshape.DoesNotFit):
        memshape.checkpoint(6, slots=0)
    with pytest.raises(memshape.DoesNotFit, match="8 bytes would do") as raised:
        memshape.checkpoint(6, memory=7, state=8)
    assert raised.value.least_bytes == 8


def test_a_single_step_needs_room_to_run():
    step = memshape.measured(lambda a: a + 1, ("n",), lambda n: (numpy.ones(n),)).predict(n=1000)
    with pytest.raises(memshape.DoesNotFit) as raised:
        memshape.checkpoint(1, memory=1, state=step)
    least = raised.value.least_bytes
    assert least >= step.upper_bytes and memshape.checkpoint(1, memory=least, state=step).peak_slots == 0
    with pytest.raises(memshape.DoesNotFit, match=f"{least} bytes would do"):
        memshape.checkpoint(1, memory=least - 1, state=step)
    assert memshape.checkpoint(1, memory=1, state=8).actions == (("backward", 0),)


def test_measured_operators_are_nodes():
    op = memshape.measured(lambda a: a * 2 + 1, ("n",), lambda n: (numpy.ones(n),))
    found = memshape.schedule({"a": ({"output_bytes": "8MB"}, []), "b": ({"operator": op, "shape": {"n": 10**6}}, ["a"])})
    seen = op.predict(n=10**6)
    assert found.output_bytes == {"a": 8_000_000, "b": seen.output_bytes}
    assert found.work_bytes["b"] == seen.upper_bytes - seen.output_bytes


@pytest.mark.parametrize("size, words", [(1.5, "no whole number"), ("10 apples", "no size")])
def test_bytes_that_are_none_are_one_clear_line(size, words):
    for graph in ({"a": ({"output_bytes": size}, [])},
                  {"schema": "memshape.graph/1", "nodes": [{"id": "a", "output_bytes": size, "inputs": []}]}):
        with pytest.raises(memshape.ArgumentError, match=words):
            memshape.schedule(graph)


def test_chains_that_are_alike_become_a_pipeline():
    graph = {"model": ({"output_bytes": "8MiB"}, [])}
    for shot in range(20):
        graph[f"read{shot}"] = {"output_bytes": "20MiB", "time": 0.1}, []
        graph[f"source{shot}"] = {"output_bytes": "300MiB", "work_bytes": "40MiB"}, ["model"]
        graph[f"receiver{shot}"] = {"output_bytes": "300MiB", "work_bytes": "40MiB"}, ["model", f"read{shot}"]
        graph[f"image{shot}"] = {"output_bytes": "8MiB", "work_bytes": "4MiB"}, [f"source{shot}", f"receiver{shot}"]
    graph["stack"] = {"output_bytes": "8MiB"}, [f"image{shot}" for shot in range(20)]
    found = memshape.schedule(graph, memory="1.5GiB", processors=4)
    assert found.makespan <= 23.0 + 1e-9 and found.method == "list-ahead" and found.peak_bytes <= 3 << 29
