#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape schedule and memshape checkpoint with --format html, svg and dot: what they draw is what --json says, whatever
ids are made of; pages need nothing else; large graphs give small pages; in headless Chromium nothing keeps people out of
them."""

import json
import random
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import browser
from schedule import Model, node, random_graph
from toolchain import BIN, ROOT, SETUP, run_tests

SVG, XHTML = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xhtml}"
# Each would end a string, a tag, an attribute or a script, or begin markup, if it were not taken as text.
HOSTILE = ["</script><script>document.title='taken'</script>", '"', "\\", 'a"];b[label="', "two\nlines", "<!--body-->", "<img src=x>",
           "a -> b", "&amp;", "]]>", "\u0001", "\uffff", "\ufffe", "tab\t", "-->", "", "a\\n", "a\n", "Müller 日本", "'", "x" * 300]

#: Names of levels, each on one line and without the colon and the comma that end it.
LEVELS = ["</script><script>document.title='taken'</script>", "<img src=x>", "]]>", "x" * 300]


# By hand: a runs alone (50), c beside a (50), b beside a and c (80), d beside b and c (60).
STEPS = [node("a", 40, work_bytes=10, time=3), node("b", 30, ["a"], time=1), node("c", 10, ["a"], time=2), node("d", 20, ["b", "c"], time=1)]


def shown(name):
    """An id as messages name it."""
    cut = name.encode()[:60]
    text = cut.decode(errors="ignore") + ("..." if len(name.encode()) > 60 else "")
    return "'" + "".join(" " if ord(c) < 0x20 or ord(c) == 0x7F else c for c in text).replace("\uffff", "\ufffd").replace("\ufffe", "\ufffd") + "'"


def counted(size):
    return f"{size} byte" + ("" if size == 1 else "s")


def held_at(model, start, now):
    """Bytes after what ends at an instant has ended, and what starts then has started."""
    end = {name: begin + model.time(name) for name, begin in start.items()}
    live = sum(model.output(name) for name in model.live({name for name in start if end[name] <= now}))
    return live + sum(model.own(name) for name in start if start[name] <= now < end[name])


def read_dot(text):
    """Nodes {name: attributes} and edges of what scheduleDot writes; fails where a string does not end as it should."""
    string = r'"((?:[^"\\]|\\.)*)"'
    nodes, edges = {}, []
    for line in text.splitlines()[3:-1]:
        if edge := re.fullmatch(rf"  {string} -> {string};", line):
            edges.append(edge.groups())
        else:
            found = re.fullmatch(rf"  {string} \[label={string}(, style=filled.*)?\];", line)
            assert found, line
            assert found[1] not in nodes, line
            nodes[found[1]] = (found[2], bool(found[3]))
    return nodes, edges


class Pictures(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def memshape(self, *words):
        done = subprocess.run([str(SETUP.bin / "memshape"), *map(str, words)], capture_output=True, timeout=300, cwd=self.folder)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def told(self, *words):
        status, text, complaint = self.memshape(*words)
        self.assertEqual((status, complaint), (0, ""))
        return text

    def schedule(self, nodes, *words):
        (self.folder / "graph.json").write_text(json.dumps({"schema": "memshape.graph/1", "nodes": nodes}))
        return self.told("schedule", "graph.json", *words)

    def page(self, text):
        """The root of a page, which loads nothing and runs no script but its own."""
        self.assertIn("default-src 'none'", text)
        root = xml.fromstring(text)
        names = [element.tag.rpartition("}")[2] for element in root.iter() if isinstance(element.tag, str)]
        self.assertEqual(names.count("script"), 1)
        self.assertFalse({"img", "iframe", "object", "embed", "image", "use"} & set(names))
        links = [value for element in root.iter() for key, value in element.attrib.items() if key in ("href", "src")]
        self.assertEqual(links, ["data:,"])
        self.assertNotRegex(text, r"url\(|@import")
        for chart in root.iter(SVG + "svg"):
            self.accessible(chart)
        return root

    def accessible(self, chart):
        """Named and described; what can be focused has a name, too."""
        by_id = {element.get("id"): element for element in chart.iter() if element.get("id")}
        self.assertTrue(by_id[chart.get("aria-labelledby")].text)
        self.assertTrue(by_id[chart.get("aria-describedby")].text)
        for element in chart.iter():
            if element.get("tabindex"):
                self.assertTrue(element.find(SVG + "title").text)

    def marks(self, root, chart):
        """What the parts of a chart say."""
        found = next(svg for svg in root.iter(SVG + "svg") if svg.get("aria-labelledby") == chart + "-title")
        return [mark.find(SVG + "title").text for mark in found.iter(SVG + "g") if mark.get("class") == "mark"]

    def test_steps_are_what_is_held(self):
        root = self.page(self.schedule(STEPS, "--format", "html"))
        self.assertEqual(self.marks(root, "memory"), ["'a' runs: 50 bytes", "'c' runs: 50 bytes", "'b' runs: 80 bytes", "'d' runs: 60 bytes"])
        self.assertEqual(self.marks(root, "lives"), ["'a': 40 bytes from 0 to 3", "'c': 10 bytes from 1 to 4", "'b': 30 bytes from 2 to 4",
                                                     "'d': 20 bytes from 3 to 4"])
        self.assertIn("no order holds less", "".join(root.itertext()))
        self.assertIn("80 B (80 bytes)", "".join(root.itertext()))

    def test_processors_and_times(self):
        root = self.page(self.schedule(STEPS, "--format", "html", "--processors", 2, "--memory", 90))
        self.assertEqual(self.marks(root, "processors"), ["'a' on processor 0 from 0 to 3", "'c' on processor 0 from 3 to 5",
                                                          "'d' on processor 0 from 5 to 6", "'b' on processor 1 from 3 to 4"])
        # b and c end after a, which lives until both have; two starts at one instant are one step.
        self.assertEqual(self.marks(root, "memory"), ["from 0 to 3: 50 bytes", "from 3 to 4: 80 bytes", "from 4 to 5: 80 bytes", "from 5 to 6: 60 bytes"])
        limits = [text.text for text in root.iter(SVG + "text") if text.text and text.text.startswith("memory ")]
        self.assertEqual(limits, ["memory 90 B"])

    def test_a_node_on_several_processors_is_in_a_row_of_each(self):
        # c, on all processors, takes 4 / 2; while it runs 9 and 4 bytes of its inputs are there, and its own 8.
        tree = [node("a", 9, time=6), node("b", 4, time=2), node("c", 8, ["a", "b"], time=4, speedup=0.5)]
        root = self.page(self.schedule(tree, "--format", "html", "--processors", 4, "--mapping", "proportional", "--memory", 6))
        self.assertEqual(sorted(self.marks(root, "processors")), [
            *(f"'a' on processor {on} from 0 to 2" for on in range(3)), "'b' on processor 3 from 0 to 2",
            *(f"'c' on processor {on} from 2 to 4" for on in range(4))])
        self.assertEqual(self.marks(root, "memory"), ["from 0 to 2: 13 bytes", "from 2 to 4: 21 bytes"])
        limits = [text.text for text in root.iter(SVG + "text") if text.text and text.text.startswith("memory ")]
        self.assertEqual(limits, ["memory 24 B"])

    def test_random_graphs_hold_what_is_drawn(self):
        """Against the model of memory in schedule.py."""
        generator = random.Random(16)
        for i in range(40):
            document = random_graph(generator, generator.randint(1, 9), shared=i % 2)
            model = Model(document)
            found = json.loads(self.schedule(document["nodes"], "--json"))
            root = self.page(self.schedule(document["nodes"], "--format", "html"))
            self.assertEqual(self.marks(root, "memory"), [f"'{name}' runs: {counted(model.held(set(found['order'][:at]), name))}"
                                                          for at, name in enumerate(found["order"])])
            for each in document["nodes"]:
                each["time"] += 1
            words = ("--processors", generator.randint(2, 4), "--memory", found["peak_bytes"] + generator.randint(0, 40))
            found = json.loads(self.schedule(document["nodes"], *words, "--json"))
            held, now = self.marks(self.page(self.schedule(document["nodes"], *words, "--format", "html")), "memory"), 0
            for said in held:
                begin, end, size = re.fullmatch(r"from (\d+) to (\d+): (.*)", said).groups()
                self.assertEqual((int(begin), size), (now, counted(held_at(Model(document), found["start"], now))))
                now = int(end)
            self.assertEqual(now, found["makespan"])
            self.assertEqual(max(int(said.split(": ")[1].split()[0]) for said in held), found["peak_bytes"])

    def test_evicted_outputs_leave_and_come_back(self):
        # While b runs there is room for 9 bytes of a, of which 41 are written and read back for c.
        nodes = [node("a", 50), node("x", 1, ["a"]), node("b", 10, ["x"], work_bytes=60), node("c", 20, ["a", "b"])]
        words = ("--objective", "io", "--memory", 80)
        self.assertEqual(json.loads(self.schedule(nodes, *words, "--json"))["io_bytes"], 41)
        root = self.page(self.schedule(nodes, *words, "--format", "html"))
        self.assertEqual(self.marks(root, "memory"), ["'a' runs: 50 bytes", "'x' runs: 51 bytes", "'b' runs: 80 bytes", "'c' runs: 80 bytes"])
        self.assertEqual([said for said in self.marks(root, "lives") if said.startswith("'a'")],
                         ["'a': 50 bytes from 0 to 2", "'a': 9 bytes from 2 to 3", "'a': 50 bytes from 3 to 4"])

    def test_hostile_ids_stay_text(self):
        nodes = [node(name, 1 + i, HOSTILE[max(0, i - 2):i]) for i, name in enumerate(HOSTILE)]
        root = self.page(self.schedule(nodes, "--format", "html", "--processors", 2))
        self.assertEqual(root.find(f"{XHTML}head/{XHTML}title").text, "Schedule of a graph")
        cells = [cell.text for row in root.iter(XHTML + "tr") for cell in list(row)[1:2] if cell.tag == XHTML + "td"]
        self.assertEqual(sorted(cells), sorted(shown(name) for name in HOSTILE))
        drawing = xml.fromstring(self.schedule(nodes, "--format", "svg"))
        self.accessible(drawing)
        self.assertEqual({mark.find(SVG + "title").text.partition(" runs: ")[0] for mark in drawing.iter(SVG + "g") if mark.get("class") == "mark"},
                         {shown(name) for name in HOSTILE})

    def test_dot_names_nodes_by_their_ids(self):
        found = json.loads(self.schedule(STEPS, "--json"))
        nodes, edges = read_dot(self.schedule(STEPS, "--format", "dot"))
        self.assertEqual(found["order"], ["a", "c", "b", "d"])
        self.assertEqual(nodes, {"a": (r"a\n1: 40 bytes + 10 work", False), "b": (r"b\n3: 30 bytes", True),
                                 "c": (r"c\n2: 10 bytes", False), "d": (r"d\n4: 20 bytes", False)})
        self.assertEqual(sorted(edges), [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])

    def test_dot_of_hostile_ids(self):
        nodes = [node(name, 1, HOSTILE[max(0, i - 1):i]) for i, name in enumerate(HOSTILE)]
        text = self.schedule(nodes, "--format", "dot")
        found, edges = read_dot(text)
        self.assertEqual((len(found), len(edges)), (len(HOSTILE), len(HOSTILE) - 1))
        names = list(found)
        for name, written in (('"', '\\"'), ("\\", "\\\\"), ("two\nlines", "two\\nlines"), ("a\\n", "a\\\\n"), ("a\n", "a\\n"),
                              ("&amp;", "&amp;amp;"), ("\u0001", "&#x2401;"), ("tab\t", "tab&#x2409;"), ("\uffff", "&#xfffd;"), ("\ufffe", "&#65533;"), ("Müller 日本", "Müller 日本")):
            self.assertIn(written, names, name)

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not installed: scripts/bootstrap")
    def test_graphviz_draws_dot(self):
        hostile = [node(name, 1, HOSTILE[max(0, i - 1):i]) for i, name in enumerate(HOSTILE)]
        for nodes in STEPS, hostile, []:
            text = self.schedule(nodes, "--format", "dot")
            done = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, timeout=300)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            drawn = [group.get("class") for group in xml.fromstring(done.stdout).iter(SVG + "g")]
            self.assertEqual((drawn.count("node"), drawn.count("edge")), (len(nodes), sum(len(each["inputs"]) for each in nodes)))

    def test_large_graphs_give_small_pages(self):
        count = 100_000
        nodes = [node(f"n{i}", 1 + i % 9, [f"n{i - 1}"] if i else [], time=1 + i % 3) for i in range(count)]
        for words in [], ["--processors", "40"]:
            text = self.schedule(nodes, "--format", "html", *words)
            self.assertLess(len(text), 1_000_000)
            root = self.page(text)
            self.assertEqual(len(self.marks(root, "memory")), 400)
            self.assertIn("are drawn as 400 columns", "".join(root.itertext()))
            self.assertIn("99,900 further outputs are not drawn", "".join(root.itertext()))

    def test_graphs_of_nothing(self):
        for nodes in [], [node("a", 0)], [node("a", 7, time=0), node("b", 7, time=0)]:
            for words in [], ["--processors", 2]:
                self.page(self.schedule(nodes, "--format", "html", *words))
                xml.fromstring(self.schedule(nodes, "--format", "svg", *words))
                read_dot(self.schedule(nodes, "--format", "dot", *words))

    def test_sums_beyond_doubles(self):
        nodes = [node("a", 2**62 + 1), node("b", 2**61, ["a"])]
        self.assertEqual(self.marks(self.page(self.schedule(nodes, "--format", "html")), "memory"),
                         [f"'a' runs: {2**62 + 1:,} bytes", f"'b' runs: {2**62 + 2**61 + 1:,} bytes"])

    def test_times_at_the_ends_of_doubles(self):
        for times in [4e307] * 4, [5e-324] * 4, [0, 8e307, 5e-324, 8e307], [0] * 1000, [5e-324] * 1000, [1e305] * 1000:
            nodes = [node(f"n{i}", i % 7, [f"n{i - 1}"] if i % 3 else [], time=time) for i, time in enumerate(times)]
            for words in [], ["--processors", 2]:
                root = self.page(self.schedule(nodes, "--format", "html", *words))
                for element in root.iter():
                    for name, value in element.attrib.items():
                        if name in ("x", "y", "width", "height", "d", "x1", "x2", "cx", "cy"):
                            self.assertNotRegex(value, "nan|inf", (words, times[:4]))
                            self.assertLess(max(map(float, re.findall(r"-?[\d.]+", value))), 2000)
                self.assertLessEqual(len(self.marks(root, "memory")), 400)
        self.page(self.told("checkpoint", "--steps", 3000, "--slots", 5, "--forward", "1e-320", "--backward", 0, "--format", "html"))

    def test_a_reversal_is_a_triangle(self):
        words = ("checkpoint", "--steps", 6, "--slots", 2)
        root = self.page(self.told(*words, "--format", "html"))
        found = json.loads(self.told(*words, "--json"))
        # Of 20 the last two are the step from state 0, which has left its slot. State 3 is left after steps 5, 4 and 3:
        # 5 forward, 2 for step 5; 1 forward, 2 for step 4; step 3 without its slot.
        marks = self.marks(root, "plan")
        self.assertEqual((found["cost"], marks[:2]), (20, ["state 0 in ram from 0 to 18", "state 3 in ram from 3 to 10"]))
        self.assertEqual(len(marks), sum(action[0] == "store" for action in found["actions"]))
        paths = {path.get("class"): path.get("d").count("M") for path in root.iter(SVG + "path")}
        kinds = [action[0] for action in found["actions"]]
        self.assertEqual(paths, {"sweep": kinds.count("forward"), "back": 6, "jump": kinds.count("restore")})
        self.assertIn("no sequence of actions costs less", "".join(root.itertext()))

    def test_levels_have_colours_and_any_names(self):
        drawing = xml.fromstring(self.told("checkpoint", "--steps", 20, "--levels", 'ram:2,</svg>"&:5:2:1', "--format", "svg"))
        self.accessible(drawing)
        legend = next(group for group in drawing.iter(SVG + "g") if group.get("class") == "legend")
        self.assertEqual([text.text for text in legend.iter(SVG + "text")], ["ram", '</svg>"&'])
        self.assertEqual({line.get("class") for line in drawing.iter(SVG + "line") if line.get("class")}, {"slot stroke-0", "slot stroke-1"})

    def test_pages_keep_nobody_out(self):
        self.assertIsNone(browser.missing())
        hostile = [node(name, 1 + i, HOSTILE[max(0, i - 2):i]) for i, name in enumerate(HOSTILE)]
        pages = {"order": self.schedule(STEPS, "--format", "html"),
                 "processors": self.schedule(hostile, "--format", "html", "--processors", 2),
                 "evictions": self.schedule(STEPS, "--format", "html", "--objective", "io", "--memory", 75),
                 "nothing": self.schedule([], "--format", "html"),
                 "checkpoints": self.told("checkpoint", "--steps", 30, "--levels", "ram:3,disk:8:2:1", "--format", "html"),
                 "checkpoints-covered": self.told("checkpoint", "--steps", 20_000, "--slots", 20, "--format", "html"),
                 "checkpoints-none": self.told("checkpoint", "--steps", 1, "--slots", 0, "--format", "html"),
                 "checkpoints-names": self.told("checkpoint", "--steps", 40, "--format", "html", "--levels",
                                                ",".join(f"{name}:2:{i}:1" for i, name in enumerate(LEVELS)))}
        opened = browser.Browser()
        self.addCleanup(opened.driver.quit)
        for kind, _, _ in opened.views():
            for name, text in pages.items():
                page = self.folder / f"{name}.html"
                page.write_text(text)
                opened.open(page)
                opened.js("document.querySelectorAll('details').forEach((d) => { d.open = true; });")
                with self.subTest(view=kind, page=name):
                    self.assertEqual((opened.requests(page), opened.complaints(), opened.pixels_beyond()), ([], [], 0))
                    if kind != "print":
                        self.assertEqual(opened.barriers(), [])

    def test_long_chains_give_small_pages(self):
        text = self.told("checkpoint", "--steps", 100_000, "--slots", 20, "--format", "html")
        self.assertLess(len(text), 300_000)
        self.assertRegex("".join(self.page(text).itertext()), r"actions are drawn as the states that they reach\. Of [\d,]+ stored states the 300")

    def test_pictures_of_the_pages_are_those_of_the_command(self):
        """Several orders may be as good: what any of them holds, and what all plans cost."""
        for name, words in (("graphs-memory", ["schedule", ROOT / "examples/migration.json", "--memory", "256MiB"]),
                            ("checkpoints-levels", ["checkpoint", "--steps", 30, "--levels", "ram:3,disk:8:2:1"])):
            kept, drawn = xml.parse(ROOT / f"docs/images/{name}.svg").getroot(), xml.fromstring(self.told(*words, "--format", "svg"))
            for root in kept, drawn:
                for mark in [group for group in root.iter(SVG + "g") if group.get("class") in ("mark", "peak-mark")]:
                    mark.clear()
            self.assertEqual([text.text for text in kept.iter(SVG + "text")], [text.text for text in drawn.iter(SVG + "text")],
                             f"draw docs/images/{name}.svg again, with the command of its page")

    def test_files_and_formats(self):
        self.assertEqual(self.schedule(STEPS, "--format", "svg", "-o", "held.svg"), "")
        self.assertEqual((self.folder / "held.svg").read_text(), self.schedule(STEPS, "--format", "svg"))
        self.assertEqual(self.schedule(STEPS, "--format", "json"), self.schedule(STEPS, "--json"))
        self.assertEqual(self.schedule(STEPS, "--format", "text"), self.schedule(STEPS))
        checkpoint = ["checkpoint", "--steps", 3, "--slots", 2]
        self.assertEqual(self.told(*checkpoint, "--format", "json"), self.told(*checkpoint, "--json"))
        self.assertEqual(self.told(*checkpoint, "--format", "html", "--output", "plan.html"), "")
        self.page((self.folder / "plan.html").read_text())

    def test_wrong_formats_get_one_line(self):
        self.schedule(STEPS)
        for command, words, says in (
                (["schedule", "graph.json"], ["--format", "xml"], "--format: 'xml' is none of text, json, html, dot and svg"),
                (["schedule", "graph.json"], ["--format", "html", "--json"], "--json and --format html exclude each other"),
                (["schedule", "graph.json"], ["--format", "svg", "-o", "nowhere/a.svg"], "nowhere/a.svg"),
                (["checkpoint", "--steps", 3, "--slots", 2], ["--format", "dot"], "--format: 'dot' is none of text, json, html and svg"),
                (["checkpoint", "--steps", 3, "--slots", 2], ["--json", "--format", "svg"], "exclude each other")):
            status, text, complaint = self.memshape(*command, *words)
            self.assertEqual((status, text, complaint.count("\n")), (2, "", 1), complaint)
            self.assertIn(says, complaint)

    def test_memory_that_cannot_be_kept_draws_nothing(self):
        self.schedule(STEPS)
        for form in "html", "svg", "dot":
            status, text, complaint = self.memshape("schedule", "graph.json", "--memory", 10, "--format", form, "-o", "a.out")
            self.assertEqual((status, text, complaint.count("\n"), (self.folder / "a.out").exists()), (1, "", 1, False))


if __name__ == "__main__":
    run_tests(__doc__, bin=BIN)
