# Workers that spill what is needed last.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import gc
import logging
import os
import threading

import dask
import dask.array as da
import distributed
import memshape
import memshape.dask
import numpy
import pytest
from memshape import _native
from memshape.dask._on_disk import OnDisk, Unserialisable
from memshape.dask._spilled import SpilledData

MIB = 2**20


def block(seed, count=MIB // 8):
    return numpy.random.default_rng(seed).random(count)


@pytest.fixture
def data(tmp_path):
    """Room for four blocks of 1 MiB."""
    return SpilledData(OnDisk(str(tmp_path)), 4 * MIB)


def fail(code):
    """Instead of a function of OnDisk."""
    def called(*_):
        raise memshape.Error(f"cannot write 7-1: {os.strerror(28)}", code)
    return called


def without_the_machines_memory(data, key):
    """A value after its last use: read from its file again."""
    gc.collect()
    return data[key]


# Values in files.


@pytest.mark.parametrize("value", [
    block(1), block(2).reshape(256, -1).T, numpy.asfortranarray(block(3).reshape(256, -1)), numpy.arange(0.0),
    numpy.broadcast_to(block(4, 1), (1000, 1000)), numpy.array(3.5), block(5).astype("f4")[::3],
    numpy.array(["2026-01-01", "2027-02-03"], "M8[D]"), numpy.ma.masked_greater(block(6, 5000), 0.5)])
def test_arrays_come_back_as_they_were(tmp_path, value):
    files = OnDisk(str(tmp_path))
    written = files.write(*files.frames(value))
    found = files.read(written)
    assert type(found) is type(value) and found.dtype == value.dtype and found.flags.writeable == value.flags.writeable
    numpy.testing.assert_array_equal(found, value)
    assert found.ndim == 0 or found.size == 0 or found.ctypes.data % found.itemsize == 0
    files.remove(written)
    assert os.listdir(files.folder) == []


def test_other_values_come_back_too(tmp_path):
    files = OnDisk(str(tmp_path))
    for value in (None, {"a": [block(1), "text"]}, b"x" * 5000, [1, (2, 3)]):
        found = files.read(files.write(*files.frames(value)))
        assert str(found) == str(value)
    with pytest.raises(Unserialisable, match="TypeError"):
        files.frames(threading.Lock())


def test_errors_of_files_are_one_clear_line(tmp_path):
    files = OnDisk(str(tmp_path))
    written = files.write(*files.frames(block(1)))
    name = f"{files.folder}/{written.number}-1"
    with open(name, "r+b") as file:
        file.seek(5000)
        file.write(b"\0\0\0\0\0\0\0\1")
    with pytest.raises(memshape.Error, match="has other bytes than were written$") as raised:
        files.read(written)
    assert raised.value.code == "corrupt"
    os.truncate(name, 4096)
    with pytest.raises(memshape.Error, match="ends after 4096 bytes") as raised:
        files.read(written)
    assert raised.value.code == "lost"
    with pytest.raises(memshape.Error, match="cannot open the folder"):
        OnDisk(os.devnull)
    with pytest.raises(_native.Failure):
        _native.Files(str(tmp_path)).read(9, bytearray(4096))


# The mapping.


def test_the_value_whose_task_is_last_leaves_first(data):
    data.expect([(name, (0, 1, turn)) for turn, name in enumerate("dbeca")])
    for seed, name in enumerate("abcde"):
        data[name] = block(seed)
    assert data.slow == {"a"} and set(data.memory) == set("bcde")
    data.expect([("d", (0, 2, 0))])
    data.evict()
    assert data.slow == {"a", "d"}
    data.expect([("b", None)])  # no task waits for it
    data.evict()
    assert data.slow == {"a", "b", "d"}
    for seed, name in enumerate("abcde"):
        numpy.testing.assert_array_equal(data[name], block(seed))
    assert data.memory_bytes <= data.target


def test_without_a_word_from_the_scheduler_the_longest_unused_leaves_first(data):
    for seed, name in enumerate("abcd"):
        data[name] = block(seed)
    data["a"]
    data["e"] = block(4)
    assert data.slow == {"b"}


def test_what_was_read_again_is_not_written_again(data):
    data["a"] = block(0)
    data.evict()
    for _ in range(3):
        numpy.testing.assert_array_equal(without_the_machines_memory(data, "a"), block(0))
        assert data.evict() > MIB - 1
    said = data.spilled()
    assert (said.writes, said.reads, said.evictions) == (1, 3, 4)
    del data["a"]
    assert os.listdir(data.on_disk.folder) == [] and (data.memory_bytes, data.disk_bytes, len(data)) == (0, 0, 0)


def test_what_a_task_still_uses_is_not_read(data):
    data["a"] = used = block(0)
    data.evict()
    assert data["a"] is used and data.spilled().reads == 0


def test_results_are_handed_out_and_displace_nothing(data):
    data.expect([("r", None), *((name, (0, 1, turn)) for turn, name in enumerate("abcd"))])
    data["r"] = block(9)
    for seed, name in enumerate("abcd"):
        data[name] = block(seed)
    numpy.testing.assert_array_equal(without_the_machines_memory(data, "r"), block(9))
    assert data.slow == {"r"} and set(data.memory) == set("abcd")


def test_small_values_stay_in_memory(data):
    data.target = 100
    data["a"], data["b"] = 1.5, block(0)
    assert set(data.memory) == {"a"} and data.evict() == -1 and not data.fast


@pytest.fixture
def warnings_logged():
    """What memshape.dask logs, line by line."""
    lines = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: lines.append(record.getMessage())
    logger = logging.getLogger("memshape.dask")
    logger.addHandler(handler)
    yield lines
    logger.removeHandler(handler)


def test_what_cannot_be_written_stays_in_memory(data, monkeypatch, warnings_logged):
    for seed, name in enumerate("abcd"):
        data[name] = block(seed)
    with monkeypatch.context() as patch:
        patch.setattr(data.on_disk, "write", fail("full"))
        for seed, name in enumerate("efg", 4):
            data[name] = block(seed)
        assert data.evict() == -1 and data.fast and not data.slow
    assert data.spilled().problem == "cannot write 7-1: No space left on device"
    assert len(warnings_logged) == 1 and "values stay in memory" in warnings_logged[0]
    data["h"] = block(7)
    assert data.memory_bytes <= data.target and data.spilled().problem == ""
    for seed, name in enumerate("abcdefgh"):
        numpy.testing.assert_array_equal(data[name], block(seed))


def test_a_full_disk_takes_files_of_what_is_in_memory_as_well(data, monkeypatch):
    data["a"] = block(0)
    data.evict()
    data["a"]
    data["b"] = block(1)
    write, refused = data.on_disk.write, []

    def once(*parts):
        if not refused:
            refused.append(os.listdir(data.on_disk.folder))
            fail("full")()
        return write(*parts)

    monkeypatch.setattr(data.on_disk, "write", once)
    data.expect([("a", (0, 0, 1)), ("b", (0, 0, 2))])
    data.evict()
    assert len(refused[0]) == 1 and data.slow == {"b"} and len(os.listdir(data.on_disk.folder)) == 1


def test_the_bytes_on_disk_have_a_limit(data):
    data.max_spill = 3 * MIB
    for seed in range(9):
        data[seed] = block(seed)
    assert len(data.slow) == 2 and data.disk_bytes <= 3 * MIB and "max-spill" in data.spilled().problem
    for seed in range(9):
        numpy.testing.assert_array_equal(data[seed], block(seed))


def test_what_cannot_be_serialised_stays_and_others_leave(data, warnings_logged):
    class Bound:
        def __init__(self):
            self.lock = threading.Lock()

        def __sizeof__(self):
            return 3 * MIB - 1000

    data["a"] = bound = Bound()
    data["b"], data["c"] = block(1), block(2)
    assert data["a"] is bound and data.slow == {"b"}
    data.evict()
    assert set(data.memory) == {"a"} and data.evict() == -1
    assert len(warnings_logged) == 1 and "cannot serialise it" in warnings_logged[0]


def test_a_value_whose_file_is_gone_is_an_error_that_names_it(data):
    data["a"] = block(0)
    data.evict()
    gc.collect()
    (name,) = os.listdir(data.on_disk.folder)
    os.remove(f"{data.on_disk.folder}/{name}")
    with pytest.raises(memshape.Error, match=f"cannot open .*/{name}: No such file"):
        data["a"]
    assert "a" in data and data.slow == {"a"}


# Workers.


def cluster(workers=1, limit=2000 * MIB, **given):
    return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit=limit, dashboard_address=None, **given)


def data_of(client):
    return client.run(lambda dask_worker: (type(dask_worker.data).__name__, dask_worker.data is dask_worker.state.data))


def twice(side=2048, chunk=256):
    """A product of which all blocks are needed again once all of them have been made."""
    square = da.random.default_rng(17).random((side, side), chunks=chunk)
    return (square + square.T).sum() + ((square - square.mean())**2).sum()


def test_a_real_cluster_computes_the_same_and_gets_its_own_back(tmp_path):
    asked = twice()
    expected = asked.compute(scheduler="sync")
    with cluster(2, limit=600 * MIB, processes=True) as made, distributed.Client(made) as client:
        kept = client.persist(da.ones(2048 * 1024, chunks=128 * 1024))
        distributed.wait(kept)
        with memshape.dask.spill(client, folder=str(tmp_path), memory=4 * MIB) as spilling:
            assert set(data_of(client).values()) == {("SpilledData", True)}
            assert numpy.isclose(asked.compute(), expected, rtol=1e-12)
            said = spilling.statistics()
            assert len(said) == 2 and all(each.memory_bytes <= 4 * MIB and not each.problem for each in said.values())
            assert sum(each.writes for each in said.values()) > 20 < sum(each.reads for each in said.values())
            assert kept.sum().compute() == 2048 * 1024
            assert len(os.listdir(tmp_path)) == 2
        assert set(data_of(client).values()) == {("SpillBuffer", True)}
        assert kept.sum().compute() == 2048 * 1024
        spilling.close()
        assert spilling.statistics() == {}
        client.run(gc.collect)
    assert os.listdir(tmp_path) == []


def test_what_a_process_holds_besides_leaves_values_less_room(tmp_path):
    def room(dask_worker):
        with open("/proc/self/statm", encoding="ascii") as file:
            return dask_worker.data.target, int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    with cluster(1, limit=600 * MIB, processes=True) as made, distributed.Client(made) as client, \
            memshape.dask.spill(client, folder=str(tmp_path)):
        (target, held), = client.run(room).values()
        assert 60 * MIB <= target <= min(0.6 * 600 * MIB, 0.7 * 600 * MIB - 0.8 * held)


def test_workers_that_join_later_spill_too(tmp_path):
    with cluster(1, processes=False) as made, distributed.Client(made) as client, \
            memshape.dask.spill(client, folder=str(tmp_path), memory=4 * MIB):
        made.scale(2)
        client.wait_for_workers(2, timeout=60)
        assert list(data_of(client).values()) == [("SpilledData", True)] * 2
        assert twice(1024).compute() > 0


class Uses(distributed.WorkerPlugin):
    """Keeps what a worker knows of the future whenever a block of a name is stored."""

    def setup(self, worker):
        self.worker, worker.seen = worker, {}

    def transition(self, key, start, finish, **_):
        if finish == "memory":
            self.worker.seen[key] = dict(self.worker.data._next)


def test_a_worker_knows_who_waits_before_a_value_is_there(tmp_path):
    def chain(name, after):
        return dask.delayed(lambda *_: numpy.ones(5000), name=name, pure=False)(*after, dask_key_name=name)

    first = chain("first", [])
    late = chain("late", [chain("middle", [first]), first])
    with cluster(1, processes=False) as made, distributed.Client(made) as client, \
            memshape.dask.spill(client, folder=str(tmp_path), memory=400 * MIB):
        client.register_plugin(Uses(), name="uses")
        late.compute()
        (seen,) = client.run(lambda dask_worker: dask_worker.seen).values()
    # `middle` goes first of those that wait for `first`; when it has run, `late` is who waits.
    assert seen["first"]["first"] < seen["late"]["first"] == seen["middle"]["middle"] < (1,)
    assert seen["late"]["late"] == (1,)


def test_the_task_that_needs_a_lost_value_fails_with_its_line(tmp_path):
    with cluster(1, processes=False) as made, distributed.Client(made) as client:
        spilling = memshape.dask.spill(client, folder=str(tmp_path), memory=MIB // 2)
        kept = client.submit(block, 1, pure=False)
        distributed.wait(kept)
        client.run(gc.collect)
        for folder, _, files in os.walk(tmp_path):
            for each in files:
                os.remove(os.path.join(folder, each))
        with pytest.raises(memshape.Error, match="cannot open .*: No such file"):
            client.submit(numpy.sum, kept).result(timeout=60)
        # What cannot be read cannot be given back either: the worker keeps all that it has.
        with pytest.raises(memshape.Error, match="keeps what it spilled.*cannot open .*: No such file"):
            spilling.close()
        assert list(data_of(client).values()) == [("SpilledData", True)]


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(OnDisk, "write", fail("full"))
    asked = twice(1024)
    expected = asked.compute(scheduler="sync")
    with cluster(1, processes=False) as made, distributed.Client(made) as client, \
            memshape.dask.spill(client, folder=str(tmp_path), memory=MIB) as spilling:
        assert numpy.isclose(asked.compute(), expected, rtol=1e-12)
        (said,) = spilling.statistics().values()
    assert said.writes == 0 and said.problem.endswith("No space left on device")


def test_what_cannot_be_is_refused_and_leaves_dask_as_it_was(tmp_path):
    with cluster(1, limit=0, processes=False) as made, distributed.Client(made) as client:
        with pytest.raises(memshape.ArgumentError, match="has no memory limit.*say memory="):
            memshape.dask.spill(client)
        with pytest.raises(memshape.ArgumentError, match="positive"):
            memshape.dask.spill(client, memory=0)
        with pytest.raises(memshape.Error, match="cannot open the folder"):
            memshape.dask.spill(client, folder=os.devnull, memory=MIB)
        assert list(data_of(client).values()) == [("dict", True)]
        with memshape.dask.spill(client, folder=str(tmp_path), memory=MIB):
            assert list(data_of(client).values()) == [("SpilledData", True)]
        assert list(data_of(client).values()) == [("dict", True)]
        assert client.run_on_scheduler(lambda dask_scheduler: [name for name in dask_scheduler.plugins if "memshape" in name]) == []
