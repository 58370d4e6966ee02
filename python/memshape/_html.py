# ===- _html.py - Pages for notebooks ---------------------------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""What notebooks show of operators and predictions: small tables, and pictures in SVG."""

from __future__ import annotations

import html
from typing import Any, Sequence

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
    return f"<svg width='620' height='{height}' role='img' aria-label='bytes at the peak by site'>{''.join(lines)}</svg>"


def curve(points: Sequence[tuple[int, int]], label: str) -> str:
    """Bytes against one extent, as a line."""
    if len(points) < 2:
        return ""
    most_x, most_y = max(x for x, _ in points), max(max(y for _, y in points), 1)
    least_x = min(x for x, _ in points)
    span = max(most_x - least_x, 1)
    path = " ".join(f"{LEFT + (x - least_x) / span * (WIDTH - LEFT - 10):.1f},"
                    f"{(HEIGHT - BELOW) - y / most_y * (HEIGHT - BELOW - 12):.1f}" for x, y in points)
    return (f"<svg width='{WIDTH}' height='{HEIGHT}' role='img' aria-label='peak against {html.escape(label)}'>"
            f"<line x1='{LEFT}' y1='{HEIGHT - BELOW}' x2='{WIDTH - 10}' y2='{HEIGHT - BELOW}' stroke='#888'/>"
            f"<line x1='{LEFT}' y1='8' x2='{LEFT}' y2='{HEIGHT - BELOW}' stroke='#888'/>"
            f"<polyline points='{path}' fill='none' stroke='#4c78a8' stroke-width='2'/>"
            f"<text x='{LEFT - 4}' y='16' font-size='10' text-anchor='end'>{show_bytes(most_y)}</text>"
            f"<text x='{LEFT - 4}' y='{HEIGHT - BELOW}' font-size='10' text-anchor='end'>0</text>"
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
