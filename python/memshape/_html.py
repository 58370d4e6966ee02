# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What notebooks show of operators and predictions: small tables, and pictures in SVG."""

from __future__ import annotations

import html
import math
from typing import Any, Mapping, Sequence

from ._shape import show_bytes

WIDTH, HEIGHT, LEFT, BELOW = 420, 150, 70, 24


def _table(rows: Sequence[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                               f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
                               for name, value in rows) + "</table>"


def _bars(sites: Sequence[Any], peak: int) -> str:
    """What is live at the peak, by site, most first."""
    lines = []
    for number, site in enumerate(sites[:8]):
        share = site.bytes_at_peak / peak if peak else 0
        top = number * 20
        place = f"{site.file.rsplit('/', 1)[-1]}:{site.line} {site.formula}"
        lines.append(f"<rect x='0' y='{top + 3}' width='{max(1, share * 160):.1f}' height='14' fill='#4c78a8'/>"
                     f"<text x='168' y='{top + 14}' font-size='11'>{html.escape(show_bytes(site.bytes_at_peak))}  "
                     f"{html.escape(place)}</text>")
    height = 20 * len(lines) + 4
    return f"<svg fill='currentColor' width='620' height='{height}' role='img' aria-label='bytes at the peak by site'>{''.join(lines)}</svg>"


def curve(points: Sequence[tuple[int, int]], label: str) -> str:
    """Bytes against one extent, as a line."""
    if len(points) < 2:
        return ""
    most_x, most_y = max(x for x, _ in points), max(max(y for _, y in points), 1)
    least_x = min(x for x, _ in points)
    span = max(most_x - least_x, 1)
    path = " ".join(f"{LEFT + (x - least_x) / span * (WIDTH - LEFT - 10):.1f},"
                    f"{(HEIGHT - BELOW) - y / most_y * (HEIGHT - BELOW - 12):.1f}" for x, y in points)
    return (f"<svg fill='currentColor' width='{WIDTH}' height='{HEIGHT}' role='img' aria-label='peak against {html.escape(label)}'>"
            f"<line x1='{LEFT}' y1='{HEIGHT - BELOW}' x2='{WIDTH - 10}' y2='{HEIGHT - BELOW}' stroke='#888'/>"
            f"<line x1='{LEFT}' y1='8' x2='{LEFT}' y2='{HEIGHT - BELOW}' stroke='#888'/>"
            f"<polyline points='{path}' fill='none' stroke='#4c78a8' stroke-width='2'/>"
            f"<text x='{LEFT - 4}' y='16' font-size='10' text-anchor='end'>{show_bytes(most_y)}</text>"
            f"<text x='{LEFT - 4}' y='{HEIGHT - BELOW}' font-size='10' text-anchor='end'>0</text>"
            f"<text x='{LEFT + 4}' y='16' font-size='10'>peak</text>"
            f"<text x='{LEFT}' y='{HEIGHT - 8}' font-size='10'>{least_x}</text>"
            f"<text x='{WIDTH - 10}' y='{HEIGHT - 8}' font-size='10' text-anchor='end'>"
            f"{html.escape(label)} = {most_x}</text></svg>")


def prediction(of: Any) -> str:
    """A prediction: its figures, and what is live at the peak."""
    at = ", ".join(f"{name}={value}" for name, value in {**of.shape, **of.settings}.items())
    rows = [("peak", f"{show_bytes(of.peak_bytes)}  {of.peak_bytes:,} bytes{', exact' if of.exact else ''}"),
            ("bounds", f"{show_bytes(of.lower_bytes)} to {show_bytes(of.upper_bytes)}"),
            ("output", show_bytes(of.output_bytes)), ("formula", of.formula or "no closed form"),
            ("evidence", of.evidence)]
    if of.rss_bytes is not None:
        rows.insert(2, ("resident", f"{show_bytes(of.rss_bytes)}, at most {show_bytes(of.rss_upper_bytes)}"))
    return (f"<b>{html.escape(of.operator)}</b> at {html.escape(at)}" + _table(rows) + _bars(of.sites, of.peak_bytes)
            + "".join(f"<div><small>{html.escape(note)}</small></div>" for note in of.notes))


def operator(of: Any) -> str:
    """An operator: what it is, and its peak against the shape."""
    formula = of.formula
    law = getattr(of, "law", None)
    rows = [("shape symbols", ", ".join(of.symbols)), ("settings", ", ".join(of.settings) or "none"),
            ("peak", formula.text if formula else f"about {law.text}" if law else "no closed form"),
            ("evidence", of.evidence), ("decisions", str(len(of.decisions)))]
    picture = ""
    if formula or law:
        domain = formula.domain if formula else of.domain
        value = formula.extrapolate if formula else of.law.value
        fixed = {name: high for name, (_, high) in domain.items()}
        steps = [share / 24 for share in range(1, 25)]
        points = [(max(max(1, round(high * step)) for high in fixed.values()),
                   value({name: max(1, round(high * step)) for name, high in fixed.items()})) for step in steps]
        picture = curve(points, " : ".join(fixed) if len(fixed) > 1 else next(iter(fixed), ""))
    return f"<b>{html.escape(of.name)}</b>" + _table(rows) + picture


def _steps(values: Sequence[int], limit: int | None, label: str) -> str:
    """Bytes while one task after the other runs, as an area of steps; a line for the limit. Of many tasks, the most of
    as many neighbours as share a column."""
    if not values:
        return ""
    width, height = WIDTH - LEFT - 10, HEIGHT - BELOW - 12
    each = -(-len(values) // width)
    shown = [max(values[at:at + each]) for at in range(0, len(values), each)]
    top = max(max(shown), limit or 0, 1)
    wide = width / len(shown)
    ground = HEIGHT - BELOW
    corners = "".join(f" {LEFT + at * wide:.1f},{ground - value / top * height:.1f}"
                      f" {LEFT + (at + 1) * wide:.1f},{ground - value / top * height:.1f}" for at, value in enumerate(shown))
    at_limit = "" if limit is None else (
        f"<line x1='{LEFT}' x2='{WIDTH - 10}' y1='{ground - limit / top * height:.1f}' y2='{ground - limit / top * height:.1f}' "
        "stroke='currentColor' stroke-dasharray='4'/>"
        f"<text x='{WIDTH - 10}' y='{ground - limit / top * height - 3:.1f}' font-size='10' text-anchor='end'>"
        f"limit {show_bytes(limit)}</text>")
    return (f"<svg fill='currentColor' width='{WIDTH}' height='{HEIGHT}' role='img' aria-label='{html.escape(label)}'>"
            f"<polygon points='{LEFT},{ground}{corners} {WIDTH - 10},{ground}' fill='#4c78a8'/>{at_limit}"
            f"<line x1='{LEFT}' y1='{ground}' x2='{WIDTH - 10}' y2='{ground}' stroke='#888'/>"
            f"<text x='{LEFT - 4}' y='16' font-size='10' text-anchor='end'>{show_bytes(top)}</text>"
            f"<text x='{LEFT - 4}' y='{ground}' font-size='10' text-anchor='end'>0</text>"
            f"<text x='{LEFT + 4}' y='16' font-size='10'>in memory</text>"
            f"<text x='{LEFT}' y='{HEIGHT - 8}' font-size='10'>1</text>"
            f"<text x='{WIDTH - 10}' y='{HEIGHT - 8}' font-size='10' text-anchor='end'>task {len(values)}</text></svg>")


_COLOURS = {"held": "#9ecae9", "operators": "#4c78a8", "inputs": "#f58518", "blocks": "#e45756", "results": "#72b7b2",
            "copies": "#ff9da6", "slack": "#bab0ac", "gathered": "#b279a2"}


def bar(parts: Mapping[str, int], limit: int, width: int = 400) -> str:
    """What one worker holds, part by part, against its limit (the line), as SVG."""
    scale = width / max(limit, sum(parts.values()), 1)
    left, drawn = 0.0, []
    for name, size in parts.items():
        if size:
            drawn.append(f"<rect x='{left:.1f}' width='{size * scale:.1f}' height='18' y='4' fill='{_COLOURS[name]}'>"
                         f"<title>{name}: {show_bytes(size)}</title></rect>")
            left += size * scale
    key = " ".join(f"<span style='color:{_COLOURS[name]}'>&#9632;</span> {name} {show_bytes(size)}"
                   for name, size in parts.items() if size)
    return (f"<svg fill='currentColor' width='{width + 4}' height='26' role='img' aria-label='what one worker holds'>"
            f"<rect width='{width}' height='18' y='4' fill='currentColor' fill-opacity='0.12'/>{''.join(drawn)}"
            f"<line x1='{limit * scale:.1f}' x2='{limit * scale:.1f}' y1='0' y2='26' stroke='currentColor' stroke-width='2'/>"
            f"</svg><div><small>{key} &#10072; limit {show_bytes(limit)}</small></div>")


def chunks(of: Sequence[Sequence[int]]) -> str:
    """The picture of chunks that Dask shows, where Dask is there, in the colour of the text."""
    try:
        from dask.array.svg import svg
    except ImportError:
        return ""
    try:
        drawn = str(svg(tuple(map(tuple, of)), size=160))  # type: ignore[no-untyped-call,unused-ignore]
    except NotImplementedError:  # of more axes than it draws
        return ""
    in_colour = drawn.replace("rgb(0,0,0)", "currentColor").replace("<text ", "<text fill='currentColor' stroke='none' ")
    return f"<div>{in_colour}</div>"


MOST_ROWS = 16  # processors that are drawn
NARROW = 2  # pixels; bars of short tasks are joined with the next ones


def _end(of: Any, task: Any) -> float:
    return float(of.mapping[task].end if of.mapping else of.end[task] if of.end else of.start[task] + of.time[task])


def _gantt(of: Any, processors: int) -> str:
    """Which task runs where, over time: a row for each processor, of which the first ones are drawn."""
    rows = min(processors, MOST_ROWS)
    below = rows * 20 + 6

    def place(time: float) -> float:
        return time / of.makespan * (WIDTH - LEFT - 10) if of.makespan else 0

    bars: list[list[tuple[float, float, list[Any]]]] = [[] for _ in range(rows)]
    for each in of.order:
        first, last = of.mapping[each].processors if of.mapping else 2 * (of.processor[each],)
        begin, end = place(of.start[each]), place(_end(of, each))
        for row in bars[first:last + 1]:
            if row and row[-1][1] - row[-1][0] < NARROW and end - row[-1][0] <= NARROW:
                row[-1] = row[-1][0], end, [*row[-1][2], each]
            else:
                row.append((begin, end, [each]))
    drawn = []
    for at, row in enumerate(bars):
        drawn.append(f"<text x='{LEFT - 4}' y='{at * 20 + 17}' font-size='10' text-anchor='end'>processor {at}</text>")
        for begin, end, tasks in row:
            name = str(tasks[0]) if len(tasks) == 1 else f"{len(tasks)} tasks from {tasks[0]} on"
            said = f"{name}: {of.start[tasks[0]]:g} to {_end(of, tasks[-1]):g}"
            drawn.append(f"<rect x='{LEFT + begin:.1f}' y='{at * 20 + 5}' width='{max(end - begin, 0.5):.1f}' height='16' "
                         f"fill='#9ecae9' stroke='currentColor' stroke-width='0.2'><title>{html.escape(said)}</title></rect>")
            if 6 * len(name) < end - begin:
                drawn.append(f"<text x='{LEFT + (begin + end) / 2:.1f}' y='{at * 20 + 17}' font-size='10' fill='#1b1b1b' "
                             f"text-anchor='middle' pointer-events='none'>{html.escape(name)}</text>")
    more = f"<div><small>{processors - rows} further processors are not drawn</small></div>" if processors > rows else ""
    return (f"<svg fill='currentColor' width='{WIDTH}' height='{below + 20}' role='img' aria-label='which task runs where'>{''.join(drawn)}"
            f"<line x1='{LEFT}' y1='{below}' x2='{WIDTH - 10}' y2='{below}' stroke='#888'/>"
            f"<text x='{LEFT}' y='{below + 14}' font-size='10'>0</text>"
            f"<text x='{WIDTH - 10}' y='{below + 14}' font-size='10' text-anchor='end'>time {of.makespan:g}</text></svg>{more}")


def schedule(of: Any) -> str:
    """A schedule: its figures, and memory while one task after the other runs, or what each of several processors runs."""
    rows = [("peak", f"{show_bytes(of.peak_bytes)}  {of.peak_bytes:,} bytes{', optimal' if of.optimal else ''}"),
            ("method", of.method)]
    for name, value in (("on each processor, at most", of.peak_bytes_per_processor), ("at least", of.lower_bound_bytes), ("written", of.io_bytes),
                        ("in parallel, at most", of.worst_parallel_bytes or of.worst_parallel_upper_bytes)):
        if value is not None:
            rows.append((name, show_bytes(value)))
    last = [each.processors[1] for each in of.mapping.values()] if of.mapping else (of.processor or {}).values()
    processors = max(last, default=0) + 1
    if of.makespan is not None and processors > 1:
        bound = "" if of.makespan_lower_bound is None else f", at least {of.makespan_lower_bound:g} in every schedule"
        rows.append(("makespan", f"{of.makespan:g} on {processors} processors{bound}"))
    # In parallel, and with evictions, it is another curve.
    plain = processors == 1 and not of.evictions
    picture = _steps(of.held(), of.memory_bytes, "bytes in memory while each task runs") if plain else ""
    if processors > 1 and math.isfinite(of.makespan):
        picture = _gantt(of, processors)
    return (f"<b>{len(of.order)} tasks</b>" + _table(rows) + picture +
            "".join(f"<div><small>{html.escape(note)}</small></div>" for note in of.notes))


MOST_DRAWN = 4000  # actions


def checkpoints(of: Any) -> str:
    """Checkpoints: figures, and the states that are current over the cost spent, stored ones as dots."""
    levels = ", ".join(f"{each.name} {each.slots}" for each in of.levels)
    rows = [("steps", f"{of.steps:,}"), ("slots", levels), ("cost", f"{of.cost:g}"),
            ("computed again", f"{of.recomputed_steps:,} steps"), ("states held at most" if of.peak_tapes is None else "slots taken at most", f"{of.peak_slots:,}")]
    if of.peak_tapes is not None:
        rows.append(("tapes held at most", f"{of.peak_tapes:,}"))
    if of.state_bytes is not None:
        rows.append(("a state", show_bytes(of.state_bytes)))
    if len(of.actions) > MOST_DRAWN:
        return f"<b>{html.escape(str(of))}</b>" + _table(rows)
    drawn, wide, high = [], 400 / len(of.actions), 120 / of.steps
    for at, action in enumerate(of.actions):
        x, state = at * wide, action[1]
        if action[0] in ("forward", "backward", "tape", "rewind"):
            end = action[2] if action[0] == "forward" else state + 1
            colour = "#4c78a8" if action[0] in ("forward", "tape") else "#e45756"
            drawn.append(f"<line x1='{x:.1f}' x2='{x + wide:.1f}' y1='{state * high + 4:.1f}' y2='{end * high + 4:.1f}' "
                         f"stroke='{colour}'/>")
        if action[0] in ("store", "tape"):
            drawn.append(f"<circle cx='{x:.1f}' cy='{state * high + 4:.1f}' r='2'><title>{html.escape(str(action))}</title>"
                         "</circle>")
    return (f"<b>{html.escape(str(of))}</b>" + _table(rows) +
            f"<svg fill='currentColor' width='404' height='146' role='img' aria-label='states over the actions'>{''.join(drawn)}"
            f"<text x='0' y='142' font-size='10'>action 1</text><text x='404' y='142' font-size='10' text-anchor='end'>"
            f"action {len(of.actions)}; from state 0 (top) to {of.steps}</text></svg>")
