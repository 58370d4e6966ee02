#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the steps of action.yml, the script of ci/gitlab.yml and the hook of .pre-commit-hooks.yaml as their hosts would, on a
build as its baseline says, on one that has grown, and on wrong requests."""

import json
import os
import re
import shlex
import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from toolchain import ROOT, main  # noqa: E402

BEFORE = """#include <vector>
__attribute__((annotate("memshape.operator")))
void demean(const float *in, int traces, int samples, float *out) {
  std::vector<float> mean(samples);
  for (int t = 0; t < traces; ++t)
    for (int s = 0; s < samples; ++s)
      mean[s] += in[t * samples + s] / traces;
  for (long n = 0; n < long(traces) * samples; ++n)
    out[n] = in[n] - mean[n % samples];
}
"""
AFTER = BEFORE.replace("  for (long n", "  const std::vector<float> copy(in, in + long(traces) * samples);\n  for (long n").replace(
    "out[n] = in[n]", "out[n] = copy[n]")
GUILTY = AFTER.splitlines().index("  const std::vector<float> copy(in, in + long(traces) * samples);") + 1


class Project:
    """A folder with a build in it, as a job finds it."""

    def __init__(self, tools, name, source):
        self.tools, self.folder = tools, tools.scratch / name
        (self.folder / "build").mkdir(parents=True)
        (self.folder / "demean.cpp").write_text(BEFORE)
        self.build()
        done = tools.run(tools.bin / "memshape", "check", "--baseline", "memshape.lock", "--update", "build/demean.o", cwd=self.folder)
        assert done.returncode == 0, done.stderr
        (self.folder / "demean.cpp").write_text(source)
        self.build()

    def build(self):
        self.tools.build(*self.tools.compiler("a.cpp"), "-O2", self.tools.plugin, "-c", self.folder / "demean.cpp", "-o",
                         self.folder / "build" / "demean.o")

    def shell(self, script, **variables):
        environment = {"PATH": f"{self.tools.bin}:{os.environ['PATH']}", **variables}
        return self.tools.run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script, environment=environment, cwd=self.folder)


def action(project, **inputs):
    """Status, what was printed, outputs and summary of the steps of action.yml; the first step that fails ends them."""
    described = yaml.safe_load((ROOT / "action.yml").read_text())
    given = {name: inputs.get(name, told.get("default", "")) for name, told in described["inputs"].items()}
    output, summary = project.folder / "output.txt", project.folder / "summary.md"
    output.write_text("")
    summary.write_text("")

    def value(text):
        text = re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], text)
        text = text.replace("${{ github.workspace }}", str(project.folder))
        assert "${{" not in text, text
        return text

    printed, status = "", 0
    for step in described["runs"]["steps"]:
        assert step["shell"] == "bash"
        variables = {name: value(text) for name, text in step.get("env", {}).items()}
        done = project.shell(step["run"], GITHUB_OUTPUT=str(output), GITHUB_STEP_SUMMARY=str(summary), **variables)
        printed += done.stdout + done.stderr
        status = done.returncode
        if status:
            break
    return status, printed, output.read_text(), summary.read_text()


def gitlab(project, **variables):
    job = yaml.safe_load((ROOT / "ci" / "gitlab.yml").read_text())[".memshape-check"]
    return project.shell("\n".join(job["script"]), CI_PROJECT_DIR=str(project.folder), **{**job["variables"], **variables})


def hook(project, *arguments):
    described, = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert described["language"] == "system" and not described["pass_filenames"]
    return project.shell(shlex.join([*shlex.split(described["entry"]), *arguments]))


def check(tools):
    complaints = []

    def expect(holds, what, seen=""):
        if not holds:
            complaints.append(f"{what}\n{seen}")

    same, grown = Project(tools, "same", "// One line more.\n" + BEFORE), Project(tools, "grown", AFTER)
    files = {"files": "build/demean.o"}

    status, printed, output, summary = action(same, **files)
    expect(status == 0 and output == "passed=true\n", "the action fails where nothing grew", printed)
    expect("::error" not in printed and "1 operator" in summary, "the action says something else", printed + summary)
    status, printed, output, summary = action(grown, sarif="out.sarif", **files)
    expect(status == 1 and output == "passed=false\n", f"the action ends with {status} where something grew", printed)
    expect(re.search(rf"^::error file=demean\.cpp,line={GUILTY},col=\d+,title=memshape%3A degree-growth::demean: the peak grew", printed, re.M),
           "no annotation on the line", printed)
    expect(f"demean.cpp:{GUILTY}" in summary and "| peak |" in summary, "no summary", summary)
    results = json.loads((grown.folder / "out.sarif").read_text())["runs"][0]["results"]
    expect(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == GUILTY, "no line in SARIF", str(results))
    status, printed, *_ = action(grown, tolerance="0%", baseline="nowhere.lock", **files)
    expect(status == 2 and "nowhere.lock" in printed, "the action goes on without a baseline", printed)
    status, printed, *_ = action(same, memshape="no-such-command", **files)
    expect(status == 2 and "::error" in printed, "the action goes on without memshape", printed)

    done = gitlab(same, FILES="build/demean.o")
    expect(done.returncode == 0 and (same.folder / "memshape.md").exists(), "GitLab's job fails", done.stdout + done.stderr)
    done = gitlab(grown, FILES="build/demean.o", TOLERANCE="5%")
    expect(done.returncode == 1 and f"demean.cpp:{GUILTY}" in done.stdout, "GitLab's job sees nothing", done.stdout + done.stderr)
    issue, *_ = json.loads((grown.folder / "memshape-quality.json").read_text())
    expect(issue["location"] == {"path": "demean.cpp", "lines": {"begin": GUILTY}}, "no line in GitLab's report", str(issue))
    done = gitlab(grown, FILES="build/nowhere.o")
    expect(done.returncode == 2, "GitLab's job goes on without a build", done.stdout + done.stderr)
    done = gitlab(grown)
    expect(done.returncode == 2, "GitLab's job goes on without FILES", done.stdout + done.stderr)

    arguments = ["--baseline", "memshape.lock", "build/demean.o"]
    done = hook(same, *arguments)
    expect(done.returncode == 0, "the hook fails", done.stdout + done.stderr)
    done = hook(grown, *arguments)
    expect(done.returncode == 1 and f"demean.cpp:{GUILTY}" in done.stdout, "the hook sees nothing", done.stdout + done.stderr)
    return complaints


if __name__ == "__main__":
    main(check)
