// Peak against each symbol and against the volume, drawn with D3 as SVG, so that it is sharp in print.

const ChartSize = { height: 210, left: 62, right: 14, top: 12, bottom: 36 };

const MinChartWidth = 220, ChartGap = 20; ///< pixels

/// Values at which an axis of bytes is labelled: powers of two, as many as are easily read.
function byteTicks(low, high) {
  const from = Math.ceil(Math.log2(low)), to = Math.floor(Math.log2(high));
  const step = Math.max(1, Math.ceil((to - from + 1) / 5));
  const ticks = [];
  for (let power = Math.ceil(from / step) * step; power <= to; power += step) ticks.push(2 ** power);
  return ticks.length > 1 ? ticks : [low, high];
}

function decimalTicks(low, high) {
  const ticks = [];
  const from = Math.ceil(Math.log10(low) - 1e-9), to = Math.floor(Math.log10(high) + 1e-9), step = Math.max(1, Math.ceil((to - from + 1) / 6));
  for (let power = from; power <= to; power += step) ticks.push(10 ** power);
  return ticks.length > 1 ? ticks : [low, high];
}

function decimalText(value) {
  for (const [size, name] of [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (value >= size) return Number((value / size).toPrecision(2)) + name;
  return String(Math.round(value));
}

/// Axes, gridlines and titles of a chart with two logarithmic axes of numbers above 0.
function logAxes(svg, width, xs, ys, xTitle) {
  const { height, left, right, top, bottom } = ChartSize;
  const around = ([low, high]) => (low === high ? [Math.max(0.5, low / 2), high * 2] : [low, high]);
  const x = d3.scaleLog().domain(around(d3.extent(xs))).range([left, width - right]);
  const yDomain = around(d3.extent(ys));
  const y = d3.scaleLog().domain([yDomain[0] / 1.15, yDomain[1] * 1.3]).range([height - bottom, top]);
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
    .call(d3.axisBottom(x).tickValues(decimalTicks(...x.domain())).tickFormat(decimalText).tickSize(4));
  const yAxis = svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
    .call(d3.axisLeft(y).tickValues(byteTicks(...y.domain())).tickFormat(inShortUnits).tickSize(-(width - left - right)));
  yAxis.select(".domain").remove();
  svg.append("text").attr("class", "axis-title").attr("x", (left + width - right) / 2).attr("y", height - 4).attr("text-anchor", "middle").text(xTitle);
  return { x, y };
}

function newChart(width, label) {
  return d3.create("svg").attr("viewBox", `0 0 ${width} ${ChartSize.height}`).attr("role", "img").attr("aria-label", label).attr("class", "chart");
}

/// One chart. Line and dots: [{x, y}]; here: {x, y} or null; checked: [low, high] of x in which the line was checked.
function growthChart({ title, xTitle, line, dots, here, checked }, width) {
  const usable = (points) => points.filter((p) => p.x > 0 && p.y > 0);
  line = usable(line);
  dots = usable(dots);
  const all = [...line, ...dots, ...(here && here.y > 0 && here.x > 0 ? [here] : [])];
  if (all.length < 2) return null;
  const first = d3.min(all, (p) => p.x), last = d3.max(all, (p) => p.x);
  const ends = all.filter((p) => p.x === first || p.x === last).map((p) => p.y);
  const svg = newChart(width, `${title}: from ${inUnits(Math.min(...ends))} at ${grouped(first)} to ${inUnits(Math.max(...ends))} at ${grouped(last)}. The table below has the numbers.`);
  const { x, y } = logAxes(svg, width, all.map((p) => p.x), all.map((p) => p.y), xTitle);
  const path = d3.line().x((p) => x(p.x)).y((p) => y(p.y));
  const isChecked = (p) => !checked || (p.x >= checked[0] && p.x <= checked[1]);
  const solid = line.filter(isChecked);
  svg.append("path").attr("class", "line").attr("d", path(solid));
  const beyond = line.filter((p) => checked && p.x >= checked[1]);
  if (beyond.length) svg.append("path").attr("class", "line beyond").attr("d", path([...solid.slice(-1), ...beyond]));
  svg.append("g").attr("class", "dots").selectAll("circle").data(dots).join("circle").attr("r", 2.4).attr("cx", (p) => x(p.x)).attr("cy", (p) => y(p.y));
  if (here && here.y > 0 && here.x > 0) {
    svg.append("line").attr("class", "here").attr("x1", x(here.x)).attr("x2", x(here.x)).attr("y1", ChartSize.top).attr("y2", ChartSize.height - ChartSize.bottom);
    svg.append("circle").attr("class", "here").attr("r", 4.5).attr("cx", x(here.x)).attr("cy", y(here.y));
  }
  return svg.node();
}

/// Peak against one symbol, with the others as in Shape.
function againstSymbol(operator, i, shape) {
  const name = operator.symbols[i];
  const others = operator.symbols.filter((_, k) => k !== i).map((other) => `${other}=${shape[operator.symbols.indexOf(other)]}`).join(", ");
  const with_ = (value) => shape.map((old, k) => (k === i ? BigInt(value) : old));
  const domain = operator.formulas.peak ? operator.formulas.peak.domain[i].map(Number) : null;
  const high = Math.max(domain ? domain[1] : 2000, Number(shape[i]) * 2);
  const line = !operator.formulas.peak ? [] :
    spread(domain[0] || 1, Math.min(high, Number(operator.largest(i))), 60).map((value) => {
      const found = integerAt(operator.formulas.peak.evaluate, operator.named(with_(value)));
      return { x: value, y: found === null ? 0 : Number(found), exact: found };
    }).filter((point) => operator.holdsBeyond || operator.inside(with_(point.x), "peak"));
  const dots = operator.table.filter((row) => row.shape.every((value, k) => k === i || value === shape[k]))
    .map((row) => ({ x: Number(row.shape[i]), y: Number(row.peak), exact: row.peak }));
  const here = operator.at(shape).peak;
  return {
    title: `Peak against ${name}` + (others ? `, with ${others}` : ""), xTitle: name + (others ? `  (${others})` : ""), caption: `Peak against ${name}`,
    line, dots, checked: domain, here: here === null ? null : { x: Number(shape[i]), y: Number(here) },
  };
}

/// Peak against the product of all symbols: every shape that was run, and the line of equal symbols.
function againstVolume(operator, shape) {
  const volume = (values) => Number(values.reduce((a, b) => a * b, 1n));
  const dots = operator.table.map((row) => ({ x: volume(row.shape), y: Number(row.peak), exact: row.peak, shape: row.shape }));
  const domain = operator.formulas.peak && operator.formulas.peak.domain.map((range) => range.map(Number));
  const low = domain ? Math.max(1, d3.max(domain, (range) => range[0])) : 1, high = domain ? d3.min(domain, (range) => range[1]) : 1;
  const line = !domain || low >= high ? [] : spread(low, high, 60).map((value) => {
    const at = shape.map(() => BigInt(value));
    const found = integerAt(operator.formulas.peak.evaluate, operator.named(at));
    return { x: volume(at), y: found === null ? 0 : Number(found), exact: found };
  });
  const here = operator.at(shape).peak;
  const product = operator.symbols.join("·");
  return { title: `Peak against the volume ${product}`, xTitle: product, caption: "Peak against volume", line, dots, checked: null, here: here === null ? null : { x: volume(shape), y: Number(here) } };
}

/// All charts of an operator; update(shape) draws them anew.
function growthCharts(operator) {
  const grid = h("div", { class: "charts" });
  const numbers = lazyDetails("Numbers behind the charts", () => growthTable(operator));
  const node = h("div", {}, grid, operator.formulas.peak
    ? h("p", { class: "key quiet" }, h("span", { class: "key-line" }), " formula ", h("span", { class: "key-beyond" }), " beyond the range it was checked in ", h("span", { class: "key-dot" }), " skeleton, run at this shape")
    : h("p", { class: "key quiet" }, h("span", { class: "key-dot" }), " skeleton, run at this shape"), operator.table.length ? numbers : null);
  let pending = null, last = null;
  onResize(grid, () => last && draw(last));
  function draw(shape) {
    const plans = operator.symbols.map((_, i) => againstSymbol(operator, i, shape));
    if (operator.symbols.length > 1) plans.push(againstVolume(operator, shape));
    // As many beside each other as can be read; text has the same size in all.
    const fit = Math.max(1, Math.floor((grid.clientWidth + ChartGap) / (MinChartWidth + ChartGap)));
    const columns = Math.min(fit, plans.length === 4 && fit === 3 ? 2 : plans.length);
    const width = Math.min(480, Math.max(MinChartWidth, (grid.clientWidth - (columns - 1) * ChartGap) / columns));
    grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    last = shape;
    grid.replaceChildren(...plans.map((plan) => {
      const chart = growthChart(plan, width);
      return chart && h("figure", {}, h("figcaption", {}, plan.caption), chart);
    }).filter(Boolean));
  }
  return {
    node,
    update(shape) {
      // Sliders send more events than a screen has frames, so drawing waits for the next frame.
      const waiting = pending !== null;
      pending = [...shape];
      if (!waiting) drawSoon(grid, () => { const at = pending; pending = null; draw(at); });
    },
  };
}

/// In the next frame, if Element has been drawn before; once it comes into view otherwise.
function drawSoon(element, draw) {
  if (element.childElementCount) requestAnimationFrame(draw);
  else drawLater(element, draw);
}

function growthTable(operator) {
  const columns = [...operator.raw.symbols.map((title) => ({ title, number: true })), { title: "peak", number: true }, { title: "peak, bytes", number: true }, { title: "left at return", number: true }, { title: "allocations", number: true }];
  return table("What the skeleton came to, shape by shape", columns,
    operator.table.map((row) => [...row.shape.map(grouped), inUnits(row.peak), grouped(row.peak), inUnits(row.output), grouped(row.allocations)]));
}
