// Past runs: what was expected of each before it came, with the bound as a band, and what was measured.

function historySection(operator) {
  const rounds = operator.raw.history;
  if (!rounds || !rounds.length) return null;
  const kinds = [["heap", "Heap of the call"], ["rss", "Resident peak of the process"]];
  const figures = h("div", { class: "charts" });
  const draw = () => {
    const plans = kinds.map(([kind, title]) => [title, kind, rounds.filter((r) => r.measured[kind] || r.predicted[kind])]).filter(([, , list]) => list.length);
    const columns = figures.clientWidth >= 560 ? Math.max(1, plans.length) : 1;
    figures.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const width = Math.min(480, (figures.clientWidth - (columns - 1) * ChartGap) / columns || MinChartWidth);
    figures.replaceChildren(...plans.map(([title, kind, list]) => h("figure", {}, h("figcaption", {}, title), historyChart(kind, title, list, width))));
  };
  drawLater(figures, () => {
    draw();
    onResize(figures, draw);
  });
  const cell = (value) => (value === null || value === undefined ? "" : inUnits(value));
  const when = (time) => (time ? new Date(time * 1000).toISOString().slice(0, 16).replace("T", " ") : "");
  const over = rounds.filter((r) => r.upper.rss !== null && r.measured.rss !== null && r.measured.rss > r.upper.rss).length;
  const bounded = rounds.filter((r) => r.upper.rss !== null && r.measured.rss !== null).length;
  return h("section", { class: "part" }, h("h4", {}, "Past runs"),
    h("p", { class: "quiet" }, `${counted(rounds.length, "run")}, each with what was expected of it from the runs before.` + (bounded ? ` The process exceeded its bound ${over} of ${bounded} times.` : "")),
    figures, h("p", { class: "key quiet" }, h("span", { class: "key-dot" }), " measured ", h("span", { class: "key-line" }), " expected ", h("span", { class: "key-band" }), " up to the bound"),
    lazyDetails("Runs as a table", () => table("Past runs", [{ title: "time, UTC" }, { title: "shape" }, { title: "heap expected", number: true }, { title: "heap measured", number: true }, { title: "process expected", number: true }, { title: "bound", number: true }, { title: "process measured", number: true }],
      rounds.map((r) => [when(r.time), Object.entries(r.shape).map(([name, value]) => `${name}=${value}`).join(", ") + (r.killed ? " (killed)" : ""),
        cell(r.predicted.heap), cell(r.measured.heap), cell(r.predicted.rss), cell(r.upper.rss), cell(r.measured.rss)]))));
}

/// Runs in their order; bytes on a logarithmic axis, for shapes differ.
function historyChart(kind, title, rounds, width) {
  const { height, left, right, top, bottom } = ChartSize;
  const values = rounds.flatMap((r) => [r.predicted[kind], r.upper[kind], r.measured[kind]]).filter((value) => value > 0);
  const [low, high] = d3.extent(values);
  const x = d3.scaleLinear().domain([0, rounds.length]).range([left, width - right]);
  const y = d3.scaleLog().domain([low / 1.2, high * 1.2]).range([height - bottom, top]);
  const svg = newChart(width, `${title}, ${counted(rounds.length, "run")}: between ${inUnits(low)} and ${inUnits(high)}. The table below has the numbers.`);
  svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
    .call(d3.axisLeft(y).tickValues(byteTicks(...y.domain())).tickFormat(inShortUnits).tickSize(-(width - left - right))).select(".domain").remove();
  const wide = (width - left - right) / rounds.length;
  const marks = svg.append("g");
  rounds.forEach((r, i) => {
    const at = x(i + 0.5), half = Math.max(1.5, Math.min(9, wide * 0.38));
    const expected = r.predicted[kind], upper = r.upper[kind], measured = r.measured[kind];
    if (expected > 0 && upper > 0)
      marks.append("rect").attr("class", "bound").attr("x", at - half).attr("width", 2 * half).attr("y", y(upper)).attr("height", Math.max(0, y(expected) - y(upper)));
    if (expected > 0) marks.append("line").attr("class", "line").attr("x1", at - half).attr("x2", at + half).attr("y1", y(expected)).attr("y2", y(expected));
    if (measured > 0) marks.append("circle").attr("class", upper > 0 && measured > upper ? "measured exceeded" : "measured").attr("r", Math.min(3.2, half + 1)).attr("cx", at).attr("cy", y(measured));
  });
  svg.append("text").attr("class", "axis-title").attr("x", left).attr("y", height - 16).text("runs, oldest first →");
  return svg.node();
}
