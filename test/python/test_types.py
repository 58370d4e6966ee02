# The package's annotations.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "python" / "memshape"


def test_annotations_are_complete_and_right(tmp_path):
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(PACKAGE)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
