// The page as a whole.

function overview(operators) {
  const columns = ["operator", "peak heap", "at", "bytes", "over the call", "how sure"];
  return h("div", { class: "scroll", role: "group", "aria-label": "All operators", tabindex: "0" }, h("table", { class: "overview" },
    h("caption", {}, counted(operators.length, "operator")),
    h("thead", {}, h("tr", {}, columns.map((title, i) => h("th", { scope: "col", class: i === 3 ? "number" : null }, title)))),
    h("tbody", {}, operators.map((operator) => {
      const { raw } = operator, verdict = operator.verdict(), formula = raw.formulas.peak;
      return h("tr", {}, h("th", { scope: "row" }, h("a", { href: "#" + operator.id }, shortFunction(raw.name))),
        h("td", { class: "code" }, formula ? [formulaNode(formula.text), operator.formulaHoldsAtStart() ? null : h("span", { class: "in-part" }, ` only for ${operator.domainText()}`)] : h("span", { class: "quiet" }, raw.typical ? "no closed form" + (raw.out_of_time ? " found in time" : "") : "")),
        h("td", { class: "quiet" }, raw.typical ? operator.shapeText(raw.typical.shape) : ""),
        h("td", { class: "number", title: raw.typical ? grouped(raw.typical.peak) + " bytes" : null }, raw.typical ? inUnits(BigInt(raw.typical.peak)) : ""),
        h("td", { class: "spark-cell" }, sparkline(operator)), h("td", {}, verdictNode(verdict)));
    }))));
}

function verdictNode(verdict) {
  const sign = { exact: "=", bounded: "↔", tried: "~", open: "≥", none: "?" }[verdict.kind];
  return h("span", { class: "verdict " + verdict.kind, title: verdict.text }, h("span", { "aria-hidden": "true" }, sign + " "), verdict.word);
}

function signature(raw) {
  const words = { shape: "shape", setting: "settings", tensor: "tensors", object: "objects" };
  return Object.entries(words).map(([role, word]) => [word, raw.parameters.filter((p) => p.role === role).map((p) => p.name || "(unnamed)")])
    .filter(([, names]) => names.length)
    .map(([word, names], i) => [i ? h("span", { "aria-hidden": "true" }, " · ") : null, word + " ", names.map((name, k) => [k ? ", " : "", h("code", {}, name)])]);
}

/// Longer formulas are collapsed until the reader opens them.
const LongFormula = 140;

function formulaList(operator) {
  const { raw } = operator;
  const labels = { output: "left at return", total: "requested in all", allocations: "allocations" };
  const main = raw.formulas.peak
    ? h("p", { class: "headline" }, formulaNode(raw.formulas.peak.text), h("span", { class: "unit" }, " bytes"))
    : h("p", { class: "headline none" }, raw.typical ? (raw.out_of_time ? "No closed form found in time" : "No closed form") : raw.trouble || "No figures");
  const checked = raw.formulas.peak ? h("p", { class: operator.formulaHoldsAtStart() ? "quiet" : "in-part" }, (operator.formulaHoldsAtStart() ? "" : "This formula holds in a part of all shapes. ") + `Equal to the skeleton at ${grouped(raw.formulas.peak.verified)} further shapes, for ${operator.domainText() || "every shape"}.`) : null;
  const matters = raw.settings.filter((s) => s.matters);
  return [main, checked,
    raw.formulas.peak ? h("dl", { class: "facts" }, Object.entries(labels).filter(([key]) => raw.formulas[key]).map(([key, label]) => h("div", {}, h("dt", {}, label), h("dd", {}, raw.formulas[key].text.length > LongFormula ? details("a long formula", formulaNode(raw.formulas[key].text)) : formulaNode(raw.formulas[key].text),
      operator.formulas[key] && operator.domainText(key) !== operator.domainText() ? h("span", { class: "quiet small" }, " for " + operator.domainText(key)) : null)))) : null,
    matters.length ? h("p", {}, "These hold for ", matters.map((s, i) => [i ? ", " : "", h("code", {}, `${s.name}=${s.value}`)]), "; other values change them (", h("code", {}, `--set ${matters[0].name}=…`), ").") : null,
    raw.trouble && raw.sliced ? h("p", { class: "complaint" }, raw.trouble) : null];
}

function surroundings(operator) {
  const { raw } = operator, typical = raw.typical;
  const lines = [];
  if (typical) {
    const machine = Object.entries(typical.machine).map(([name, value]) => `${name}=${value || "(not set)"}`);
    if (machine.length) lines.push("Depends on the machine: " + machine.join(", ") + ".");
    if (typical.threads) lines.push(`For ${counted(typical.threads, "thread")}.`);
    if (BigInt(typical.one_time) > 0n) lines.push(`A first call holds ${inUnits(BigInt(typical.one_time))} more.`);
    for (const [space, bytes] of Object.entries(typical.spaces)) if (space !== "host") lines.push(`Peak in ${space} memory: ${inUnits(BigInt(bytes))}.`);
    lines.push(...(typical.notes || []));
  }
  lines.push(...raw.notes);
  return lines.length ? h("ul", { class: "notes" }, lines.map((line) => h("li", {}, line))) : null;
}

function operatorSection(operator) {
  const { raw, data } = operator, verdict = operator.verdict();
  const head = [h("h3", {}, raw.name), h("p", { class: "quiet" }, raw.at ? [placeNode(data, raw.at), h("span", { "aria-hidden": "true" }, " · ")] : null, signature(raw)),
    h("p", {}, verdictNode(verdict), h("span", { class: "quiet" }, verdict.text ? " " + verdict.text + "." : ""))];
  const node = h("section", { class: "operator", id: operator.id, "aria-label": raw.name }, head, formulaList(operator));
  const sites = sitesSection(operator);
  if (operator.symbols.length && raw.typical) {
    const panel = answerPanel(operator), charts = growthCharts(operator);
    const fields = shapeFields(operator, (shape) => {
      panel.show(shape);
      charts.update(shape);
      if (sites) sites.update(shape);
    });
    node.append(h("div", { class: "explore" }, fields.node, panel.node), charts.node);
    fields.start();
  } else if (sites) sites.update(operator.startShape());
  const parts = [timelineSection(operator), sites && sites.node, decisionsSection(operator), unknownSection(operator), featuresSection(operator), historySection(operator), surroundings(operator)];
  node.append(...parts.filter(Boolean));
  if (raw.size[1]) node.append(h("p", { class: "quiet small" }, `The skeleton keeps ${grouped(raw.size[0])} of ${grouped(raw.size[1])} instructions.`));
  return node;
}

const SectionsAtOnce = 2;
let addAll = () => {};

/// When printing, all charts are drawn; sections are printed as the reader has opened them.
function beforePrinting() {
  addAll();
  for (const element of [...notYetDrawn.keys()]) drawNow(element);
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const operators = data.operators.map((raw, i) => new Operator(data, raw, i));
  const inputs = document.getElementById("inputs");
  inputs.textContent = data.inputs.map((path) => path.slice(path.lastIndexOf("/") + 1)).join(", ");
  inputs.title = data.inputs.join("\n");
  document.title = `Memory report: ${data.inputs.map((path) => path.slice(path.lastIndexOf("/") + 1)).join(", ")}`;
  document.getElementById("overview").append(operators.length ? overview(operators) : h("p", {}, "These files have no operators."));
  const sections = document.getElementById("operators");
  const waiting = [...operators];
  // A few at a time, so that the page can be read before the last of many operators is there.
  const addSome = (count) => {
    sections.append(...waiting.splice(0, count).map(operatorSection));
    if (waiting.length) setTimeout(addSome, 0, SectionsAtOnce);
    else followLink();
  };
  addAll = () => addSome(waiting.length);
  addSome(SectionsAtOnce);
  const marks = marksOf(operators);
  const sources = document.getElementById("sources");
  sources.append(...data.files.map((_, number) => fileNode(data, number, marks.get(number))));
  sources.hidden = !data.files.length;
  document.getElementById("foot").append(`memshape ${data.version}. Figures are bytes that an operator requests between its entry and its return; KiB, MiB and GiB are powers of 1024. Charts: D3.`);
  window.addEventListener("hashchange", followLink);
  window.addEventListener("beforeprint", beforePrinting);
  if (matchMedia) matchMedia("print").addEventListener("change", (event) => event.matches && beforePrinting());
  // For the browser's console, and for tests.
  window.memshape = { operators, parseFormula, integerAt, inUnits, beforePrinting };
}

start();
