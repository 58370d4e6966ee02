// Past runs: the prediction of each before it ran, with its bound as a band, and the measured figures.

function historySection(operator) {
  const rounds = operator.raw.history;
  if (!rounds || !rounds.length) return null;
  const kinds = [["heap", "Heap of the call"], ["rss", "Resident peak of the process"]];
  const figures = h("div", { class: "charts" });
  const draw = () => {
    const plans = kinds.map(([kind, title]) => [title, kind, rounds.filter((r) => r.measured[kind] > 0 && r.predicted[kind] > 0)]).filter(([, , list]) => list.length);
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
    figures, h("p", { class: "key quiet" }, h("span", { class: "key-measured" }), " measured, against what was expected ", h("span", { class: "key-line" }), " as expected ", h("span", { class: "key-band" }), " up to the bound"),
    lazyDetails("Runs as a table", () => table("Past runs", [{ title: "time, UTC" }, { title: "shape" }, { title: "heap expected", number: true }, { title: "heap measured", number: true }, { title: "process expected", number: true }, { title: "bound", number: true }, { title: "process measured", number: true }],
      rounds.map((r) => [when(r.time), Object.entries(r.shape).map(([name, value]) => `${name}=${value}`).join(", ") + (r.killed ? " (killed)" : ""),
        cell(r.predicted.heap), cell(r.measured.heap), cell(r.predicted.rss), cell(r.upper.rss), cell(r.measured.rss)]))));
}

/// Runs in their order, each relative to its prediction: shapes differ too much for one axis of bytes.
function historyChart(kind, title, rounds, width) {
  const { height, left, right, top, bottom } = ChartSize;
  const part = (value, r) => (value > 0 ? value / r.predicted[kind] - 1 : null);
  const known = rounds.map((r) => ({ measured: part(r.measured[kind], r), upper: part(r.upper[kind], r) }));
  const values = known.flatMap((k) => [k.measured, k.upper]).filter((value) => value !== null);
  const low = Math.min(-0.02, d3.min(values)), high = Math.max(0.05, Math.min(d3.max(values), 4));
  const x = d3.scaleLinear().domain([0, rounds.length]).range([left, width - right]);
  const y = d3.scaleLinear().domain([low, high]).nice().range([height - bottom, top]);
  const off = known.filter((k) => k.measured !== null).map((k) => Math.abs(k.measured));
  const svg = newChart(width, `${title}, ${counted(rounds.length, "run")}: the measured peaks are at most ${(100 * (d3.max(off) || 0)).toFixed(1)} % from what was expected. The table below has the numbers.`);
  svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
    .call(d3.axisLeft(y).ticks(5).tickFormat((value) => (value > 0 ? "+" : "") + Math.round(1000 * value) / 10 + " %").tickSize(-(width - left - right))).select(".domain").remove();
  const wide = (width - left - right) / rounds.length, half = Math.max(1.5, wide / 2 - 0.5);
  const inside = (value) => y(Math.min(value, y.domain()[1]));
  known.forEach((k, i) => {
    const at = x(i + 0.5);
    if (k.upper > 0) svg.append("rect").attr("class", "bound").attr("x", at - half).attr("width", 2 * half).attr("y", inside(k.upper)).attr("height", y(0) - inside(k.upper));
  });
  svg.append("line").attr("class", "line").attr("x1", left).attr("x2", width - right).attr("y1", y(0)).attr("y2", y(0));
  known.forEach((k, i) => {
    if (k.measured !== null)
      svg.append("circle").attr("class", k.upper !== null && k.measured > k.upper ? "measured exceeded" : "measured").attr("r", Math.min(3.2, half + 1)).attr("cx", x(i + 0.5)).attr("cy", inside(k.measured));
  });
  svg.append("text").attr("class", "axis-title").attr("x", left).attr("y", height - 14).text("runs, oldest first →");
  return svg.node();
}
