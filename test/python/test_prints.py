# What values print, in terminals and notebooks, and what the manual says that they print.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import subprocess
from pathlib import Path

import memshape
import numpy
import pytest
from memshape import _install
from memshape._page import in_python

MANUAL = Path(__file__).parents[2] / "docs" / "python.md"


def root(cube):
    return numpy.sqrt(cube * cube + cube)


@pytest.fixture(scope="module")
def measured():
    return memshape.measured(root, ("ni", "nx"), lambda ni, nx: (numpy.ones((ni, nx), numpy.float32),))


@pytest.fixture(scope="module")
def values(program, measured):
    """One of each kind, by name."""
    smooth = memshape.open(program)["smooth"]
    return {
        "compiled": smooth.predict(ni=50, nx=50, ns=50), "measured": measured.predict(ni=10_000, nx=3_000, held="100MB"),
        "operator": smooth, "measured operator": measured,
        "plan": memshape.plan(measured, {"ni": 20_000, "nx": 10_000}, ("ni", "nx"), memory="1.5GiB", workers=2, sink="store"),
        "schedule": memshape.schedule({number: ({"output_bytes": 40}, [number - 1] if number else []) for number in range(300)}),
        "checkpoints": memshape.checkpoint(240, 20),
        "reversal": memshape.reverse(240, slots=20, state=numpy.zeros(3), forward=lambda state, _, end: state + end,
                                     backward=lambda state, at: None)}


def without_time(page):
    return re.sub(r"executed in .*", "", page)


def test_a_prediction_prints_the_page_of_the_command(values, program):
    page = subprocess.run([str(_install.command()), "predict", str(program), "--operator", "smooth", "--shape",
                           "ni=50,nx=50,ns=50"], capture_output=True, text=True, check=True).stdout
    assert without_time(str(values["compiled"])) + "\n" == without_time(in_python(page))
    told = str(values["measured"])
    assert "peak heap" in told and "228.88 MiB  240,000,000 bytes" in told and "formula   8*ni*nx" in told


def test_each_value_is_one_short_line(values):
    for value in values.values():
        assert "\n" not in repr(value) and len(repr(value)) < 300
    assert repr(values["compiled"]) == "<memshape.Prediction smooth at ni=50, nx=50, ns=50: 500408 bytes, exact>"
    assert "467 forward steps" in str(values["reversal"])


def test_pictures_have_the_colour_of_the_text(values):
    for name, value in values.items():
        if hasattr(value, "_repr_html_"):
            shown = value._repr_html_()
            assert not re.search(r"black|white|rgb\(0, ?0, ?0\)|#000|#eee", shown), name
            assert shown.count("<svg") == shown.count("currentColor'") or "currentColor" in shown, name
    assert "limit 1.50 GiB" in values["plan"]._repr_html_()


@pytest.mark.parametrize("said, expected", [
    ("give --held BYTES for the tensors", "give held=BYTES for the tensors"),
    ("is missing: ni (--shape ni=...)", "is missing: ni (ni=...)"), ("; --set a.b=1 predicts", "; a.b=1 predicts"),
    ("give it with --assume size=N", "give it with assume={'size': N}"), ("a number (--max-tasks)", "a number (max_tasks=)"),
    ("bytes (--element-bytes IN,OUT)", "bytes (element_bytes=(IN, OUT))"), ("from 2 -- 3", "from 2 -- 3")])
def test_messages_are_in_words_of_python(said, expected):
    assert in_python(said) == expected


def test_errors_and_notes_name_no_options(values, program):
    with pytest.raises(memshape.ArgumentError) as raised:
        memshape.open(program)["smooth"].predict(ni=3)
    assert not any("--" in text for text in (str(raised.value), *values["compiled"].notes, *values["plan"].notes))
    assert any("held=" in note for note in memshape.open(program)["looked_up"].predict(n=30).notes)


def test_what_a_process_holds_has_one_meaning(measured):
    assert measured.predict(ni=10, nx=10, held="100MB") == measured.predict(ni=10, nx=10, held_bytes=10**8)


def test_the_manual_says_what_is_printed(program, tmp_path):
    """Its blocks of the first sections, line by line: a comment that begins with a value is what the expression gives."""
    shutil.copy(program, tmp_path / "libfilters.so")
    blocks = re.findall(r"```python\n(.*?)```", MANUAL.read_text(encoding="utf-8").split("## Dask")[0], re.DOTALL)
    assert len(blocks) >= 3
    names, compared, before = {}, 0, os.getcwd()
    os.chdir(tmp_path)
    try:
        for block in blocks:
            pending = ""
            for line in block.splitlines():
                pending += line + "\n"
                expression, _, comment = line.partition("  # ")
                try:
                    code = compile(expression.strip(), "manual", "eval")
                except SyntaxError:
                    continue
                exec(pending.rpartition(line)[0], names)
                pending, value = "", eval(code, names)
                comment = comment.strip()
                if comment[:1] in tuple("(<[0123456789'"):
                    assert comment.startswith(repr(value)), line
                    compared += 1
            exec(pending, names)
    finally:
        os.chdir(before)
    assert compared >= 6
