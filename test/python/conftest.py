# Operators for the tests of the package.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import subprocess
from pathlib import Path

import pytest

OPERATORS = Path(__file__).parent / "operators.cpp"


def pytest_addoption(parser):
    parser.addoption("--clang", required=True, help="folder of clang++")
    parser.addoption("--lib", required=True, help="folder of the loader")


@pytest.fixture(scope="session", autouse=True)
def no_cache_of_the_user(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def program(request, tmp_path_factory):
    """The file that operators.cpp was compiled into."""
    made = tmp_path_factory.mktemp("operators") / "liboperators.so"
    clang, lib = request.config.getoption("--clang"), request.config.getoption("--lib")
    subprocess.run([f"{clang}/clang++", "-std=c++20", "-O2", "-g", "-fPIC", "-shared", f"-fplugin={lib}/memshape",
                    f"-I{OPERATORS.parents[2]}/runtime/include", str(OPERATORS), "-o", str(made)], check=True)
    return made
