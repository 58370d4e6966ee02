// What is live over one call, site by site, in the order of its allocations and frees.

const TimelineSize = { height: 300, left: 66, right: 16, top: 26, bottom: 58 };
const MostColours = 7;

/// Unpacks steps, of which the document contains changes only. Returns [{event, site, change, live, held: Map}].
function unpackSteps(steps) {
  let held = new Map();
  return steps.list.map(([event, site, change, live, changes]) => {
    held = new Map(held);
    for (let i = 0; i < changes.length; i += 2) {
      if (changes[i + 1]) held.set(changes[i], changes[i + 1]);
      else held.delete(changes[i]);
    }
    return { event, site, change, live, held };
  });
}

/// Sites of one line and function are one band, as in the text report; the smallest share the last one.
function bandsOf(operator, steps) {
  const most = new Map();
  for (const step of steps)
    for (const [site, bytes] of step.held) {
      const name = operator.siteName(site);
      most.set(name, Math.max(most.get(name) || 0, bytes));
    }
  const names = [...most].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  const own = names.length > MostColours + 1 ? names.slice(0, MostColours) : names;
  const bandOf = (site) => {
    const place = own.indexOf(operator.siteName(site));
    return place < 0 ? own.length : place;
  };
  const labels = own.length < names.length ? [...own, `${counted(names.length - own.length, "other place")}`] : own;
  const rows = steps.map((step) => {
    const row = labels.map(() => 0);
    for (const [site, bytes] of step.held) row[bandOf(site)] += Math.max(0, bytes);
    return row;
  });
  return { labels, rows };
}

/// The line of the operator itself that an allocation comes from: the outermost call of its chain.
function phaseLine(operator, step) {
  if (step.change <= 0 || step.site === LibrarySite) return null;
  const site = operator.raw.sites[step.site];
  if (!site) return null;
  return site.chain.length ? site.chain[site.chain.length - 1] : site.at;
}

/// Stretches of steps that come from the same line of the operator: [{from, to, place}].
function phasesOf(operator, steps) {
  const phases = [];
  steps.forEach((step, i) => {
    const place = phaseLine(operator, step);
    const last = phases[phases.length - 1];
    if (place && (!last || last.place[0] !== place[0] || last.place[1] !== place[1])) phases.push({ from: i, to: i + 1, place });
    else if (last) last.to = i + 1;
  });
  return phases;
}

function stepText(operator, steps, i) {
  const step = steps[i];
  const what = step.change > 0 ? `${operator.siteName(step.site)} allocates ${inUnits(step.change)}`
    : step.change < 0 ? `${inUnits(-step.change)} of ${operator.siteName(step.site)} are freed` : "threads end";
  return `Event ${grouped(step.event + 1)}: ${what}; ${inUnits(step.live)} live.`;
}

function timelineSection(operator) {
  const typical = operator.raw.typical;
  if (!typical || !typical.steps) return null;
  const steps = unpackSteps(typical.steps);
  const { labels, rows } = bandsOf(operator, steps);
  const phases = phasesOf(operator, steps);
  const peakAt = d3.maxIndex ? d3.maxIndex(steps, (s) => s.live) : steps.reduce((best, s, i) => (s.live > steps[best].live ? i : best), 0);
  const isPeak = String(steps[peakAt].live) === typical.peak;
  const figure = h("figure", { class: "timeline" });
  const said = h("output", { class: "said" });
  const slider = h("input", { type: "range", min: "0", max: String(steps.length - 1), value: String(peakAt), "aria-label": "event of the timeline" });
  let mark = () => {};
  const show = () => {
    const i = Number(slider.value);
    said.textContent = stepText(operator, steps, i);
    slider.setAttribute("aria-valuetext", said.textContent);
    mark(i);
  };
  slider.addEventListener("input", show);
  show();
  drawLater(figure, () => {
    const redraw = () => {
      const drawn = drawTimeline({ operator, steps, rows, labels, phases, peakAt, isPeak, width: figure.clientWidth || 900 });
      drawn.svg.addEventListener("pointermove", (event) => {
        slider.value = String(drawn.stepAt(event));
        show();
      });
      mark = drawn.mark;
      figure.replaceChildren(drawn.svg);
      mark(Number(slider.value));
    };
    redraw();
    onResize(figure, redraw);
  });
  const legend = h("ul", { class: "legend" }, labels.map((label, i) => h("li", {}, h("span", { class: `swatch band-${i}` }), label)));
  const each = typical.steps.each;
  return h("section", { class: "part" }, h("h4", {}, "What is live over one call"),
    h("p", { class: "quiet" }, `One call at ${operator.shapeText(typical.shape) || "its only shape"}: ${grouped(typical.steps.events) + " allocations and frees"}, in order` +
      (each > 1 ? `; each step stands for ${grouped(each)} of them and shows the moment at which most is live` : "") + "."),
    figure, h("div", { class: "stepper" }, slider, said), legend,
    lazyDetails("Timeline as a table", () => table("Allocations and frees in order", [{ title: "event", number: true }, { title: "site" }, { title: "change", number: true }, { title: "live", number: true }],
      steps.map((step) => [grouped(step.event + 1), operator.siteName(step.site), (step.change > 0 ? "+" : "") + inUnits(step.change), inUnits(step.live)]))));
}

function drawTimeline({ operator, steps, rows, labels, phases, peakAt, isPeak, width }) {
  const { height, left, right, top, bottom } = TimelineSize;
  const floor = height - bottom;
  const highest = d3.max(rows, (row) => d3.sum(row)) || 1;
  const x = d3.scaleLinear().domain([0, steps.length]).range([left, width - right]);
  const y = d3.scaleLinear().domain([0, highest * 1.08]).range([floor, top]);
  const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img").attr("class", "chart wide")
    .attr("aria-label", `Live bytes by site over one call: at most ${inUnits(steps[peakAt].live)}, after event ${steps[peakAt].event + 1}. The slider and the table below say each step.`);
  const unit = 1024 ** Math.max(0, Math.floor(Math.log2(highest) / 10 - 1e-9));
  const ticks = y.copy().domain(y.domain().map((value) => value / unit)).ticks(5).map((value) => value * unit);
  svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
    .call(d3.axisLeft(y).tickValues(ticks).tickFormat(inShortUnits).tickSize(-(width - left - right))).select(".domain").remove();

  // A step lasts until the next one.
  const held = [...rows, rows[rows.length - 1]];
  const stack = d3.stack().keys(labels.map((_, i) => i)).value((row, key) => row[key])(held);
  const area = d3.area().x((_, i) => x(i)).y0((d) => y(d[0])).y1((d) => y(d[1])).curve(d3.curveStepAfter);
  svg.append("g").selectAll("path").data(stack).join("path").attr("class", (_, i) => `band band-${i}`).attr("d", area);

  const bar = svg.append("g").attr("class", "phases");
  for (const phase of phases) {
    const wide = x(phase.to) - x(phase.from);
    bar.append("rect").attr("x", x(phase.from)).attr("width", Math.max(0.5, wide - 1)).attr("y", floor + 8).attr("height", 16);
    const label = String(phase.place[1]);
    if (wide > 7 * label.length + 4) bar.append("text").attr("x", x(phase.from) + wide / 2).attr("y", floor + 20).attr("text-anchor", "middle").text(label);
  }
  svg.append("text").attr("class", "axis-title").attr("x", left).attr("y", height - 10).text(phases.length ? "line of the operator that allocates →" : "events in order →");

  const peakX = x(peakAt + 0.5);
  const mine = svg.append("g").attr("class", "peak-mark");
  mine.append("line").attr("x1", peakX).attr("x2", peakX).attr("y1", top - 6).attr("y2", floor);
  const right_ = peakX > width * 0.6;
  mine.append("text").attr("x", peakX + (right_ ? -6 : 6)).attr("y", top - 9).attr("text-anchor", right_ ? "end" : "start")
    .text(`${isPeak ? "peak" : "most shown"} ${inUnits(steps[peakAt].live)}`);
  const cursor = svg.append("line").attr("class", "cursor").attr("y1", top).attr("y2", floor);
  return {
    svg: svg.node(),
    mark: (i) => cursor.attr("x1", x(i + 0.5)).attr("x2", x(i + 0.5)),
    stepAt: (event) => {
      const box = svg.node().getBoundingClientRect();
      const at = x.invert(((event.clientX - box.left) / box.width) * width);
      return Math.max(0, Math.min(steps.length - 1, Math.floor(at)));
    },
  };
}

/// A sparkline of live bytes for the overview; the table beside it has the same figures.
function sparkline(operator) {
  const typical = operator.raw.typical;
  if (!typical || !typical.steps) return null;
  const lives = typical.steps.list.map((step) => Math.max(0, step[3]));
  const x = d3.scaleLinear().domain([0, lives.length]).range([1, 99]), y = d3.scaleLinear().domain([0, d3.max(lives) || 1]).range([23, 2]);
  return d3.create("svg").attr("viewBox", "0 0 100 24").attr("class", "spark").attr("preserveAspectRatio", "none").attr("aria-hidden", "true")
    .call((svg) => svg.append("path").attr("d", d3.area().x((_, i) => x(i)).y0(23).y1((d) => y(d)).curve(d3.curveStepAfter)([...lives, lives[lives.length - 1]]))).node();
}
