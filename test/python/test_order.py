# Collections of Dask in an order that holds less.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import time

import dask
import dask.array as da
import distributed
import memshape
import memshape.dask
import numpy
import pytest
from memshape._schedule import held_by
from memshape.dask._blocks import blocks_of
from memshape.dask._dispatch import Run, by_dask, dispatched, queued_keys
from memshape.dask._holding import played

MIB = 2**20


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None,
                                  memory_limit=0) as cluster, distributed.Client(cluster) as made:
        yield made


@pytest.fixture
def no_client(monkeypatch):
    monkeypatch.setattr("memshape.dask._order.default_client", lambda client: client)


def kernel(blocks=8, side=64):
    """Differences of all pairs, a kernel of them, two reductions; a block of a stage takes 8 side^2 bytes."""
    points = da.random.default_rng(16).random(blocks * side, chunks=side)
    squares = ((points[:, None] - points[None, :])**2).map_blocks(slowly, dtype=float)
    return da.exp(-squares).sum(axis=1) + squares.max(axis=1)


def slowly(block):
    """Long enough for messages to arrive while it runs."""
    time.sleep(0.003)
    return block * 1.0


class Recorder(distributed.WorkerPlugin):
    """Keys in the order in which they ran, with the first part of their priority: the least goes first."""

    def setup(self, worker):
        self.worker, worker.ran = worker, {}

    def transition(self, key, start, finish, **_):
        if start == "executing" and finish == "memory":
            self.worker.ran[key] = self.worker.state.tasks[key].priority[0]


def recorded(client, collection):
    """What a worker ran to compute a collection, and the result."""
    client.register_plugin(Recorder(), name="recorder")
    result = collection.compute()
    (ran,) = client.run(lambda dask_worker: dict(dask_worker.ran)).values()
    client.unregister_worker_plugin("recorder")
    return ran, result


def peak_of(blocks, ran):
    keys = [key for key in ran if key in blocks.all]
    assert sorted(map(str, keys)) == sorted(map(str, blocks.all))
    return max(held_by(keys, {key: list(block.reads) for key, block in blocks.all.items()},
                       {key: block.cost.output for key, block in blocks.all.items()},
                       {key: block.cost.upper - block.cost.output for key, block in blocks.all.items()}))


def test_a_worker_holds_less_in_the_order_and_computes_the_same(client):
    plain = kernel()
    ordered = memshape.dask.order(plain, client=client)
    said = ordered.ranking
    assert said.lower_bound_bytes <= said.after_bytes < said.before_bytes and said.method != "dask"
    assert said.worker == next(iter(client.scheduler_info()["workers"]))
    assert said.worker_after_bytes - said.worker_before_bytes < 0
    blocks = blocks_of(plain)
    assert sorted(map(str, said.order)) == sorted(map(str, blocks.graph))
    first, expected = recorded(client, plain)
    second, found = recorded(client, ordered)
    numpy.testing.assert_array_equal(expected, found)
    assert peak_of(blocks, second) < peak_of(blocks, first)


def test_the_scheduler_gets_the_priorities_of_the_order(client):
    ordered = memshape.dask.order(kernel(4), client=client)
    seen, _ = recorded(client, ordered)
    ranked = [key for key in ordered.ranking.order if key in seen]
    assert sorted(ranked, key=lambda key: seen[key]) == ranked and len(ranked) > 10
    # Whole numbers of users' own work come before and after all of it.
    assert all(-1 <= seen[key] < 0 for key in ranked)


def test_it_is_a_collection_as_the_one_that_was_ordered(no_client):
    plain = kernel(4)
    ordered = memshape.dask.order(plain)
    assert ordered.ranking.worker is None and dask.is_dask_collection(ordered)
    expected = plain.compute(scheduler="threads")
    numpy.testing.assert_array_equal(ordered.compute(scheduler="sync"), expected)
    numpy.testing.assert_array_equal(dask.compute(ordered, scheduler="threads")[0], expected)
    kept = ordered.persist(scheduler="threads")
    assert isinstance(kept, da.Array) and kept.chunks == plain.chunks
    numpy.testing.assert_array_equal(kept.compute(scheduler="threads"), expected)
    again = memshape.dask.order(ordered)
    assert again.ranking == ordered.ranking and again.unordered is plain
    assert "tasks" in repr(ordered) and "<div>" in ordered._repr_html_()


def test_several_workers_get_priorities_alone():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None,
                                  memory_limit=0) as cluster, distributed.Client(cluster) as client:
        plain = kernel(4)
        ordered = memshape.dask.order(plain, client=client)
        assert ordered.ranking.worker is None
        numpy.testing.assert_array_equal(ordered.compute(), plain.compute())


def two_branches():
    """Two large results, each reduced to one small one."""
    load = dask.delayed(lambda: 1)(dask_key_name="load")
    parts = [dask.delayed(lambda a: a + 1)(dask.delayed(lambda a: a)(load, dask_key_name=f"large-{name}"),
                                           dask_key_name=f"small-{name}") for name in "ab"]
    return dask.delayed(sum)(parts, dask_key_name="sum")


def test_bytes_of_tasks_are_what_is_said_of_them(no_client):
    said = {"load": 10, "large-a": 100, "large-b": (100, 7), "small": 1, "sum": 1}
    ordered = memshape.dask.order(two_branches(), bytes=said)
    # The worker has both large tasks once load has ended, and begins the second before it learns of what follows the
    # first: 10 + 100 + 100, with the 7 work bytes in the first one. Strictly one branch after the other: 10 + 100 + 7.
    assert (ordered.ranking.after_bytes, ordered.ranking.lower_bound_bytes) == (210, 117)
    assert any("would hold 117 bytes" in note for note in ordered.ranking.notes)
    assert ordered.compute(scheduler="sync") == 4
    assert memshape.dask.order(two_branches(), bytes=lambda key: 5).ranking.after_bytes == 15
    with pytest.raises(memshape.DoesNotFit, match="210 bytes") as raised:
        memshape.dask.order(two_branches(), bytes=said, memory=209)
    assert raised.value.least_bytes == 210
    assert memshape.dask.order(two_branches(), bytes=said, memory=210).ranking.after_bytes == 210
    unknown = memshape.dask.order(two_branches(), bytes={"nothing": 5}).ranking
    assert any("'nothing', and no task has that name" in note for note in unknown.notes)


def test_a_prediction_says_what_its_task_takes(no_client):
    op = memshape.measured(lambda a: a + 1.0, ("n",), lambda n: (numpy.ones(n),))
    seen = op.predict(n=1000)
    ordered = memshape.dask.order(two_branches(), bytes={"large": seen, "load": 0, "small": 0, "sum": 0})
    assert seen.output_bytes == 8000 and ordered.ranking.after_bytes == 8000 + seen.upper_bytes


def test_what_a_reduction_leaves_of_a_block_is_counted():
    array = da.ones((80, 60), chunks=(20, 30))
    for made, each in ((array.sum(axis=0), 8 * 30), (array.max(axis=1), 8 * 20), (array.sum(), 8), (array.mean(axis=0), 16 * 30)):
        parts = [block for block in blocks_of(made).all.values() if not block.reads]
        assert len(parts) == 8 and {block.cost.output for block in parts} == {each}
    product = blocks_of(array @ array.T)
    assert {block.cost.output for block in product.all.values() if block.layer == "chunk_sum"} == {8 * 20 * 20}


def chain(keys):
    """a0 -> b0, a1 -> b1: tasks that begin the graph, and ones that follow."""
    from dask._task_spec import Task, TaskRef

    graph = {}
    for number in range(keys):
        graph["a", number] = Task(("a", number), int)
        graph["b", number] = Task(("b", number), int, TaskRef(("a", number)))
    return graph


def test_a_scheduler_sends_what_follows_before_what_begins():
    graph = chain(6)
    breadth = [(name, number) for name in "ab" for number in range(6)]
    depth = [(name, number) for number in range(6) for name in "ab"]
    assert queued_keys(graph, 1) == {key for key in graph if key[0] == "a"} and queued_keys(graph, 3) == set()
    # One task of the queue at a time: what follows is there before the next one.
    assert dispatched(graph, breadth, queued_keys(graph, 1), 1.0) == depth
    # Two: the worker begins the second one before it learns of what follows the first.
    assert dispatched(graph, breadth, queued_keys(graph, 1), 1.1)[:4] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    # No queue: priorities decide, one task late.
    assert dispatched(graph, breadth, set(), 1.1) == breadth
    assert dispatched(graph, depth, set(), 1.1)[:4] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


def test_two_workers_share_the_queue_and_go_where_inputs_are():
    graph = chain(4)
    order = [(name, number) for number in range(4) for name in "ab"]
    reads = {("b", number): {("a", number): 1} for number in range(4)}
    run = Run(graph, order, queued_keys(graph, 1), 1.0, workers=2, reads=reads)
    begun = [(key, at) for begins, key, at in run.events() if begins]
    assert begun[:4] == [(("a", 0), 0), (("a", 1), 1), (("b", 0), 0), (("b", 1), 1)]
    assert all(run.place["a", number] == run.place["b", number] for number in range(4)) and len(begun) == 8


def test_one_worker_is_expected_to_hold_what_the_ranking_says(no_client):
    plain = kernel()
    blocks, ranking = blocks_of(plain), memshape.dask.order(plain).ranking
    for order, most in ((by_dask(blocks.graph, plain), ranking.before_bytes), (ranking.order, ranking.after_bytes)):
        (worker,) = played(blocks, order, queued_keys(blocks.graph, 1), 1.1, 1, 1, True)
        assert worker.total == most


def test_what_is_said_counts_where_dask_fuses_it():
    made = (da.ones((4, 4), chunks=4) + 1).map_blocks(slowly, dtype=float)
    # The sum of 128 bytes beside the output and the 1000 work bytes of the function that reads it.
    (block,) = blocks_of(made, {"slowly": (128, 1000)}).all.values()
    assert (block.cost.upper, block.cost.output) == (128 + 128 + 1000, 128)
    assert blocks_of(made, {"slowly": (128, 1000)}).notes == []
    assert any("slowly" in note for note in blocks_of(made).notes)


@pytest.mark.parametrize("given, words", [
    ({"collection": 3}, "Dask collection"), ({"memory": "much"}, "no size"), ({"bytes": 3}, "bytes are a dict"),
    ({"bytes": {"load": -1}}, "negative"), ({"bytes": {"load": 1.5}}, "no integer"), ({"bytes": {"load": (1, 2, 3)}}, "neither"),
    ({"client": 3}, "client"),
])
def test_requests_that_cannot_be_are_one_clear_line(given, words):
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.dask.order(**{"collection": two_branches(), **given})
    assert "\n" not in str(raised.value)
