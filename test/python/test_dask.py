# Chunks that fit a running cluster.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import dataclasses
import functools
import time
import warnings

import dask
import dask.array as da
import distributed
import memshape
import memshape.dask
import numpy
import pytest
import scipy.ndimage
from memshape import _history
from memshape.dask import _learning, _peaks
from memshape._toys import Toy

AXES = ("ni", "nx", "ns")


def products(cube):
    """Gradients and their products, smoothed: needs a halo of 3."""
    gi, gx, gs = numpy.gradient(cube)
    return scipy.ndimage.uniform_filter(gi * gx + gx * gs + gi * gs, 5)


def root(cube):
    return numpy.sqrt(cube * cube + 1)


@pytest.fixture(scope="module")
def cluster():
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=700_000_000,
                                      dashboard_address=":0") as made:
            yield made


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as made:
        yield made


@pytest.fixture(scope="module")
def op():
    return memshape.measured(products, AXES, lambda ni, nx, ns: (numpy.ones((ni, nx, ns), numpy.float32),))


def test_workers_that_dask_would_pause_before_their_first_task_are_refused(client, op):
    lazy = da.zeros((60, 60, 60), dtype=numpy.float32)
    with dask.config.set({"distributed.worker.memory.pause": 0.05}), pytest.raises(memshape.DoesNotFit, match="Dask pauses") as raised:
        memshape.dask.plan(op, lazy, AXES, client=client)
    assert raised.value.least_bytes > 700_000_000
    assert memshape.dask.plan(op, lazy, AXES, client=client).tasks


def cube(ni, nx, ns):
    return numpy.random.default_rng(3).standard_normal((ni, nx, ns), dtype=numpy.float32)


def test_the_cluster_says_its_limits_threads_and_bytes(client):
    found = memshape.dask.cluster_of(client)
    assert (found.workers, found.threads, found.limit_bytes) == (2, 1, 700_000_000)
    assert 30e6 < found.held_bytes < 300e6 and found.usable_bytes == 665_000_000


def test_a_plan_keeps_the_workers_limits(client, op):
    array = da.zeros((300, 300, 300), dtype=numpy.float32, chunks=100)
    found = memshape.dask.plan(op, array, AXES, halo={"ni": 3, "nx": 3, "ns": 3}, client=client, sink="store")
    assert found.tasks > 1 and found.upper_bytes <= 665_000_000 < found.limit_bytes == 700_000_000
    assert [sum(each) for each in found.chunks] == [300, 300, 300]


def test_results_with_a_halo_are_those_of_the_whole_array(client, op):
    data = cube(90, 80, 70)
    plan = memshape.plan(op, dict(zip(AXES, data.shape)), ("ni", "nx"), halo={"ni": 3, "nx": 3}, memory=6_000_000,
                         sink="store", element_bytes=(4, 4))
    assert plan.tasks >= 4
    result = memshape.dask.map_overlap(products, data, op, axes=AXES, halo={"ni": 3, "nx": 3}, client=client, plan=plan)
    assert isinstance(result, da.Array) and result.chunks == plan.chunks
    numpy.testing.assert_allclose(result.compute(), products(data), rtol=1e-5, atol=1e-6)


def test_blocks_without_a_halo_may_change_their_type(client):
    data = da.from_array(cube(40, 30, 20), chunks=20)
    result = memshape.dask.map_blocks(lambda block: (block > 0).astype(numpy.uint8), data, axes=AXES, client=client,
                                      dtype=numpy.uint8)
    assert result.dtype == numpy.uint8
    numpy.testing.assert_array_equal(result.compute(), (cube(40, 30, 20) > 0).astype(numpy.uint8))


def test_what_a_first_call_builds_is_held_by_every_worker_before_its_bytes_are_read(client):
    def builds(block):
        import mmap
        import sys

        if not hasattr(sys, "memshape_built"):
            sys.memshape_built = mmap.mmap(-1, 50_000_000)  # as the libraries that an import maps
            sys.memshape_built.write(bytes(50_000_000))
        return block + 1

    array = da.zeros((100, 100, 100), dtype=numpy.float32, chunks=50)
    before = memshape.dask.cluster_of(client).held_bytes
    op = memshape.measured(builds, AXES, lambda ni, nx, ns: (numpy.ones((ni, nx, ns), numpy.float32),))
    found = memshape.dask.plan(op, array, AXES, client=client)
    assert found.held_bytes - before >= 49_000_000
    applied = memshape.dask.map_blocks(builds, array, op, axes=AXES, client=client)
    assert memshape.dask.explain(applied).plans[0].held_bytes - before >= 49_000_000


def test_doubts_are_no_plan_unless_that_is_asked_for(client):
    small = memshape.measured(root, AXES, lambda ni, nx, ns: (numpy.ones((ni, nx, ns), numpy.float32),),
                              ranges=dict.fromkeys(AXES, (2, 20)))
    with pytest.raises(memshape.ArgumentError, match="doubtful=True"):
        memshape.dask.map_blocks(root, cube(10, 10, 10), small, axes=AXES, client=client)
    result = memshape.dask.map_blocks(root, cube(10, 10, 10), small, axes=AXES, client=client, doubtful=True)
    numpy.testing.assert_allclose(result.compute(), root(cube(10, 10, 10)))


def test_keywords_go_to_the_function(client):
    def scaled(block, by):
        return block * numpy.float32(by)

    result = memshape.dask.map_blocks(scaled, cube(10, 10, 10), axes=AXES, client=client, by=3)
    assert [each.operator for each in memshape.dask.explain(result).plans] == ["scaled"]
    numpy.testing.assert_allclose(result.compute(), cube(10, 10, 10) * 3)


def test_tasks_ask_for_the_memory_that_they_take(client, op):
    result = memshape.dask.map_overlap(products, cube(60, 50, 40), op, axes=AXES, halo={"ni": 3}, client=client)
    asked = [layer.annotations["resources"] for layer in result.dask.layers.values()
             if layer.annotations and "resources" in layer.annotations]
    assert len(asked) == 1 and 0 < asked[0]["memshape-bytes"] < 665_000_000
    for worker in client.scheduler_info()["workers"].values():
        assert worker["resources"]["memshape-bytes"] >= asked[0]["memshape-bytes"]


class Fixed(memshape.MeasuredOperator):
    """An operator that takes the same at every shape."""

    def __init__(self, peak):
        toys = [Toy({"n": n, "m": m}, peak, peak, peak, 16, peak, 1, 16, 16, 16, 0.0)
                for n in range(1, 7) for m in range(1, 7)]
        super().__init__("fixed", ("n", "m"), toys[:-1], toys[-1:])


def times(block):
    """When it began and ended."""
    begin = time.time()
    time.sleep(0.2)
    return numpy.full(block.shape, [begin, time.time()])


def test_what_does_not_fit_together_does_not_run_together():
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, memory_limit=700_000_000,
                                  dashboard_address=":0") as one, distributed.Client(one) as client:
        seen = memshape.dask.cluster_of(client)
        room = seen.usable_bytes - seen.held_bytes
        both = [memshape.dask.map_blocks(times, numpy.zeros((1, 2)) + number, axes=("n", "m"), client=client,
                                         op=Fixed(room * 2 // 3)) for number in range(2)]
        ran = sorted(tuple(each[0]) for each in dask.compute(*both))
    assert ran[0][1] <= ran[1][0]


def test_what_tasks_held_is_told(client, op):
    memshape.dask.map_overlap(products, cube(30, 20, 10), op, axes=AXES, halo={"ni": 3}, client=client).compute()
    found = memshape.dask.peaks(client)
    assert any(each.operator == "products" and len(each.shape) == 3 for each in found)
    assert all(each.worker.startswith("tcp://") for each in found)


def test_the_scheduler_knows_what_tasks_ask_for_where_nothing_is_fused(client, op):
    result = memshape.dask.map_overlap(products, cube(30, 20, 10), op, axes=AXES, halo={"ni": 3}, client=client)

    def restrictions(dask_scheduler):
        return [task.resource_restrictions for task in dask_scheduler.tasks.values() if task.resource_restrictions]

    with dask.config.set({"optimization.fuse.active": False}):
        persisted = client.persist(result)
        distributed.wait(persisted)
        asked = client.run_on_scheduler(restrictions)
    assert len(asked) == result.npartitions and all(each["memshape-bytes"] > 0 for each in asked)


def test_tasks_do_not_wait_for_bytes_that_later_plans_leave_no_room_for(client, op):
    result = memshape.dask.map_overlap(products, cube(30, 20, 10), op, axes=AXES, halo={"ni": 3}, client=client)
    assert _peaks.declare(client, 1000)  # workers hold more by now
    with dask.config.set({"optimization.fuse.active": False}):
        assert client.compute(result).result(timeout=120).shape == (30, 20, 10)


def test_explain_says_what_each_worker_will_hold(client, op):
    result = memshape.dask.map_overlap(products, cube(120, 100, 90), op, axes=AXES, halo={"ni": 3}, client=client)
    told = memshape.dask.explain(result)
    assert told.lower_bytes <= told.expected_bytes <= told.upper_bytes <= told.limit_bytes
    assert len(told.each) == 2 and "worker 1" in str(told) and told._repr_html_().count("<svg") == 3
    further = memshape.dask.explain(memshape.dask.map_blocks(root, result, axes=AXES, client=client) + 1)
    assert len(further.plans) == 2
    with pytest.raises(memshape.ArgumentError, match="not a list"):
        memshape.dask.explain([1, 2])
    with pytest.raises(memshape.ArgumentError, match="sink"):
        memshape.dask.explain(result, sink="drain")


def test_steps_of_others_are_counted_by_their_blocks(client):
    array = da.from_array(numpy.zeros((40, 60)), chunks=(20, 30))
    told = memshape.dask.explain((array + 1).rechunk((40, 10)) * 2, client, sink="persist")
    assert [(step.tasks, step.task_bytes, step.output_bytes) for step in told.steps if step.tasks in (4, 6)] == [
        (4, 8 * 600, 4 * 8 * 600), (4, 8 * 600, 4 * 8 * 600), (6, 2 * 8 * 400, 6 * 8 * 400)]
    # Of six blocks of 3200 bytes one worker has three at least.
    assert told.lower_bytes == told.least_held_bytes + 3 * 3200 and told.upper_bytes > told.lower_bytes
    assert told.notes == () and not any(step.predicted for step in told.steps)


def test_what_an_operator_takes_counts_where_dask_fuses_it(client):
    op = Fixed(50_000_000)
    plan = memshape.plan(op, {"n": 8, "m": 8}, ("n",), memory=10**9, sink="store", element_bytes=(8, 8))
    result = memshape.dask.map_blocks(root, da.zeros((8, 8), chunks=4) + 1, op, axes=("n", "m"), client=client, plan=plan)
    told = memshape.dask.explain((result * 2).sum(), client)
    assert any(step.predicted and step.task_bytes >= 50_000_000 for step in told.steps)
    held = told.parts["held"]
    assert told.least_held_bytes + 50_000_000 <= told.lower_bytes
    assert held + 50_000_000 <= told.expected_bytes <= told.upper_bytes <= held + 52_000_000


def test_what_is_not_known_of_a_collection_is_said(client):
    told = memshape.dask.explain((da.ones((4, 4), chunks=4) + 1).map_blocks(root), client)
    assert any("beside" in note and "root" in note for note in told.notes) and told.upper_bytes is not None
    array = da.from_array(cube(9, 8, 7), chunks=3)
    told = memshape.dask.explain(array[array[:, 0, 0] > 0] + 1, client)
    assert told.upper_bytes is None and any("not counted" in note for note in told.notes)
    assert "no bound" in str(told)


def fresh_peak():
    """In a worker: its peak counts from here."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def peak_so_far():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


@pytest.mark.parametrize("sink", ["persist", "gather"])
def test_workers_hold_what_was_explained(client, op, sink):
    array = da.random.default_rng(3).random((240, 200, 200), dtype=numpy.float32, chunks=(60, 200, 200))
    plan = memshape.plan(op, dict(zip(AXES, array.shape)), ("ni",), halo={"ni": 3}, memory=200_000_000, sink="store",
                         element_bytes=(4, 4))
    result = memshape.dask.map_overlap(products, array * 2, op, axes=AXES, halo={"ni": 3}, client=client, plan=plan)
    result = da.concatenate([result, result - 1])
    told = memshape.dask.explain(result, client, sink=sink)
    client.run(fresh_peak)
    made = result.compute() if sink == "gather" else client.persist(result)
    distributed.wait(made)
    most = max(client.run(peak_so_far).values())
    assert told.lower_bytes <= most <= told.upper_bytes
    assert 0.75 < told.expected_bytes / most < 1.3


def smooth(block):
    """A stencil of five rows, with one array beside its result: NumPy reuses temporaries of more than 256 KiB."""
    return sum(numpy.roll(block, shift, axis=0) for shift in range(-2, 3)) / 5


@pytest.mark.parametrize("ordered", [False, True])
def test_a_collection_of_five_stages_holds_what_was_explained(client, ordered):
    """Two stencils one after the other, a norm of both, three reductions."""
    field = da.random.default_rng(16).random((2048, 2048), chunks=(256, 2048))
    once = da.map_overlap(smooth, field, depth={0: 2}, boundary="none", dtype=field.dtype)
    twice = da.map_overlap(smooth, once, depth={0: 2}, boundary="none", dtype=field.dtype)
    norm = once**2 + twice**2
    collection = da.stack([norm.sum(axis=0), twice.max(axis=0), once.mean(axis=0)])
    block = 8 * 260 * 2048
    said = {"smooth": (block, block)}
    asked = memshape.dask.order(collection, client=client, bytes=said) if ordered else collection
    told = memshape.dask.explain(asked, client, bytes=said)
    assert not any("smooth" in note for note in told.notes)
    assert told.lower_bytes >= told.least_held_bytes + 2 * block
    client.run(fresh_peak)
    found = asked.compute()
    most = max(client.run(peak_so_far).values())
    numpy.testing.assert_allclose(found, collection.compute(scheduler="sync"), rtol=1e-12)
    assert told.lower_bytes <= most <= told.upper_bytes and told.expected_bytes <= told.upper_bytes


def above(block):
    """Data decides how much is picked."""
    picked = block[block > 0.5]
    return block - picked.sum()


def test_plans_learn_from_what_tasks_held(client, tmp_path):
    store = str(tmp_path / "history.sqlite")
    op = memshape.measured(above, AXES, lambda ni, nx, ns: (cube(ni, nx, ns),))
    array = da.zeros((240, 200, 200), dtype=numpy.float32, chunks=(60, 200, 200))
    asked = {"axes": AXES, "client": client, "split": ("ni",), "sink": "store", "store": store}
    memshape.dask.learn(client, store)  # what other tests left
    before = memshape.dask.plan(op, array, **asked)
    assert op.data_decides and before.evidence == "measured" and before.upper_bytes is None
    for rows in (12, 20, 30, 60):
        small = memshape.plan(op, dict(zip(AXES, array.shape)), ("ni",), memory="1GB", workers=240 // rows, sink="store",
                              element_bytes=(4, 4))
        random = da.random.default_rng(rows).random(array.shape, dtype=numpy.float32, chunks=small.chunks)
        memshape.dask.map_blocks(above, random, op, axes=AXES, client=client, plan=small).sum().compute()
    kept = memshape.dask.learn(client, store)
    assert kept >= 20 and memshape.dask.learn(client, store) == 0
    after = memshape.dask.plan(op, array, **asked)
    assert after.evidence == "history" and any("past runs" in note for note in after.notes)
    assert after.upper_bytes is not None and after.upper_bytes <= 665_000_000
    # The result, and what is picked: a half of the elements, as in the runs.
    rows = after.largest_task["shape"]["ni"]
    assert 6 * rows * 40_000 <= after.largest_task["upper_bytes"] < 9 * rows * 40_000


def test_what_past_runs_say_of_tasks_leaves_what_is_gathered(monkeypatch):
    op = memshape.measured(products, AXES, lambda ni, nx, ns: (cube(ni, nx, ns),))
    plan = memshape.plan(op, dict(zip(AXES, (240, 200, 200))), ("ni",), memory=150_000_000, sink="gather",
                         element_bytes=(4, 4))
    assert plan.tasks > 1 and plan.parts["gathered"] == 0  # while tasks run, more is held
    plan = dataclasses.replace(plan, largest_task={**plan.largest_task, "lower_bytes": 0})
    monkeypatch.setattr(_learning._history, "remembered", lambda *_: _history.Remembered(1, 1, 100))
    known = _learning._known(plan, "above", {}, {}, "")
    assert known.parts == {**dict.fromkeys(known.parts, 0), "held": plan.parts["held"], "gathered": 41 * 4 * 9_600_000 // 20}
    assert known.upper_bytes == sum(known.parts.values())


def test_a_store_that_cannot_be_written_is_warned_of(client, op, tmp_path, monkeypatch):
    array = da.zeros((24, 20, 20), dtype=numpy.float32, chunks=(12, 20, 20))
    asked = {"axes": AXES, "client": client, "split": ("ni",)}
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    memshape.dask.map_overlap(products, array, op, halo={"ni": 3}, **asked, store=None).compute()
    with pytest.warns(UserWarning, match="nothing is learnt from earlier tasks"):
        assert memshape.dask.plan(op, array, **asked).tasks == 2  # a worker each
    with pytest.raises(memshape.Error):
        memshape.dask.plan(op, array, **asked, store=str(tmp_path / "file" / "history.sqlite"))


def test_a_task_beyond_the_limit_is_warned_of(client):
    plan = memshape.plan(Fixed(900_000_000), {"n": 4, "m": 4}, ("n",), memory=10**10, sink="store", element_bytes=(8, 8))
    result = memshape.dask.map_blocks(root, da.ones((4, 4), chunks=4), Fixed(900_000_000), axes=("n", "m"), client=client,
                                      plan=plan)
    with pytest.warns(UserWarning, match="more than the 665000000 at which it is ended") as told:
        result.compute()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any("ended" in str(each.message) for each in told):
            time.sleep(0.1)


@pytest.mark.parametrize("array, changed, words", [
    (numpy.zeros((3, 3, 3), object), {}, "Python objects"),
    (numpy.zeros((3, 0, 3)), {}, "no elements"),
    (numpy.zeros((3, 3)), {}, "axes"),
    (numpy.zeros((30, 3, 3)), {"halo": {"nx": 4}}, "longer than the axis"),
    (numpy.zeros((3, 3, 3)), {"halo": {"other": 4}}, "other"),
    (numpy.zeros((3, 3, 3)), {"axes": ("ni", "nx", "nx")}, "axes"),
    (numpy.zeros((3, 3, 3)), {"align": "blocks"}, "blocks"),
    ([1, 2, 3], {}, "list"),
])
def test_arrays_that_cannot_be_planned_are_one_clear_line(client, op, array, changed, words):
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.dask.plan(op, array, **{"axes": AXES, "client": client, **changed})
    assert "\n" not in str(raised.value)
    with pytest.raises(memshape.ArgumentError, match=words):
        memshape.dask.map_overlap(products, array, **{"axes": AXES, "client": client, **changed})


@pytest.mark.parametrize("halo, words", [({"ni": 5}, "longer than the shortest chunk"), ({"nj": 1}, "nj"),
                                         ({"ni": -1}, "negative"), ({"ni": 1.5}, "no integer")])
def test_halos_that_a_plan_was_not_made_for_are_one_clear_line(client, op, halo, words):
    data = cube(16, 9, 8)
    plan = memshape.plan(op, dict(zip(AXES, data.shape)), ("ni",), memory="1GB", workers=4, sink="store",
                         element_bytes=(4, 4))
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.dask.map_overlap(products, data, op, axes=AXES, halo=halo, client=client, plan=plan)
    assert "\n" not in str(raised.value)


def test_unknown_chunks_are_named(client, op):
    array = da.from_array(cube(9, 8, 7), chunks=3)
    array = array[array[:, 0, 0] > 0]
    with pytest.raises(memshape.ArgumentError, match="compute_chunk_sizes"):
        memshape.dask.plan(op, array, AXES, client=client)


def test_a_cluster_without_workers_is_one_clear_line():
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as made, distributed.Client(made) as its:
        with pytest.raises(memshape.ArgumentError, match="no workers"):
            memshape.dask.cluster_of(its)


def test_clusters_that_cannot_be_planned_for_are_one_clear_line(op):
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, memory_limit=0, processes=False,
                                  dashboard_address=":0") as made, distributed.Client(made) as its:
        with pytest.raises(memshape.ArgumentError, match="no memory limit"):
            memshape.dask.plan(op, cube(3, 3, 3), AXES, client=its)
        assert memshape.dask.plan(op, cube(3, 3, 3), AXES, client=its, memory="8GiB").tasks == 1
    with pytest.raises(memshape.ArgumentError, match="no distributed.Client"):
        memshape.dask.plan(op, cube(3, 3, 3), AXES, client="here")


def test_clients_that_cannot_be_asked_are_one_clear_line(cluster, op):
    with distributed.Client(cluster) as closed:
        pass
    for asked in (lambda: memshape.dask.plan(op, cube(3, 3, 3), AXES, client=closed), lambda: memshape.dask.peaks(closed),
                  lambda: memshape.dask.map_blocks(products, cube(3, 3, 3), op, axes=AXES, client=closed)):
        with warnings.catch_warnings(), pytest.raises(memshape.ArgumentError, match="the client is closed") as raised:
            warnings.simplefilter("error")  # one line, not two
            asked()
        assert "\n" not in str(raised.value)


def test_a_cluster_counts_whatever_client_asks(cluster, op):
    for _ in range(2):
        with distributed.Client(cluster) as one:
            result = memshape.dask.map_overlap(products, cube(12, 11, 10), op, axes=AXES, halo=dict.fromkeys(AXES, 3),
                                               client=one)
            assert memshape.dask.explain(result).workers == 2
            numpy.testing.assert_allclose(result.compute(), products(cube(12, 11, 10)), rtol=1e-5, atol=1e-6)


def ends_once(block, flag):
    """The first time, with its worker."""
    import os
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return block + 1
    os._exit(1)


def test_a_worker_that_is_lost_loses_nothing(tmp_path):
    with dask.config.set({"distributed.scheduler.allowed-failures": 3}), distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=700_000_000, dashboard_address=":0") as made, \
            distributed.Client(made) as client:
        with dask.config.set({"optimization.fuse.active": False}):
            # The worker that comes in its place has the resource, too, or its tasks would wait for ever.
            result = memshape.dask.map_blocks(ends_once, numpy.zeros((6, 2)), axes=("n", "m"), client=client,
                                              op=Fixed(10**6), flag=str(tmp_path / "flag"))
            future = client.compute(result)
            numpy.testing.assert_array_equal(future.result(timeout=60), numpy.ones((6, 2)))
            client.wait_for_workers(2, timeout=60)
        room = {worker["resources"].get("memshape-bytes") for worker in client.scheduler_info()["workers"].values()}
    assert len(room) == 1 and None not in room and (tmp_path / "flag").exists()


def test_workers_of_different_sizes_are_planned_for_by_the_least(op):
    workers = {number: {"cls": distributed.Worker, "options": {"memory_limit": limit, "nthreads": threads}}
               for number, (limit, threads) in enumerate([(900_000_000, 1), (700_000_000, 2)])}
    with distributed.SpecCluster(workers=workers, scheduler={"cls": distributed.Scheduler,
                                                             "options": {"dashboard_address": ":0"}}) as made:
        with distributed.Client(made) as client:
            client.wait_for_workers(2, timeout=60)
            seen = memshape.dask.cluster_of(client)
            assert seen.limit_bytes == 700_000_000 and any("least decides" in note for note in seen.notes)
            notes = memshape.dask.plan(op, cube(5, 5, 5), AXES, client=client).notes
    assert any("least decides" in note for note in notes)


def test_all_workers_count_where_they_are_many():
    workers = {number: {"cls": distributed.Worker, "options": {"memory_limit": 800_000_000 - number, "nthreads": 1}}
               for number in range(7)}
    with distributed.SpecCluster(workers=workers, scheduler={"cls": distributed.Scheduler,
                                                             "options": {"dashboard_address": ":0"}}) as made:
        with distributed.Client(made) as client:
            client.wait_for_workers(7, timeout=60)
            seen = memshape.dask.cluster_of(client)
    # All of them are in this process.
    assert len(seen.addresses) == seen.threads == 7 and seen.limit_bytes == 799_999_994


@pytest.mark.parametrize("function, words", [
    (lambda block: block[1:], "same shape"), (lambda block: block.astype(numpy.float64), "dtype=float64"),
    (lambda block: 3, "a int")])
def test_results_that_are_not_what_was_said_are_errors(client, op, function, words):
    result = memshape.dask.map_blocks(function, cube(4, 4, 4), op, axes=AXES, client=client)
    with pytest.raises(ValueError, match=words):
        result.compute()


def test_callables_that_refer_to_themselves_have_a_name():
    def counted_down(block):
        return block if len(block) == 0 else counted_down(block[1:])

    def of_later(block):
        return later(block)

    names = [_history.known_as(each) for each in (counted_down, of_later)]
    assert len(set(names)) == 2 and names[0] == _history.known_as(counted_down)
    later = counted_down
    assert _history.known_as(of_later) != names[1]


class Scaled:
    def __init__(self, by):
        self.by = by

    def __call__(self, block):
        return block * self.by

    def added(self, block):
        return block + self.by


def test_callables_of_other_contents_have_other_names():
    def held(by):
        return lambda block: block * by

    table, other = numpy.zeros(5000), numpy.zeros(5000)
    other[2500] = 1  # where repr shows dots
    for name in (lambda by: _history.known_as(Scaled(by)), lambda by: _history.known_as(Scaled(by).added),
                 lambda by: _history.known_as(held(by)), lambda by: _history.known_as(held({"kernel": [by]})),
                 lambda by: _history.known_as(functools.partial(root, by=by))):
        assert name(table) == name(table.copy()) != name(other)
    assert _history.known_as("one") != _history.known_as("other")
