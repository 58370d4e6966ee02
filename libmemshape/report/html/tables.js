// Sites, decisions, unknown calls and what the source says, as tables.

/// Sites of one line and function, most bytes first: [{ids, name, bytes}].
function siteGroups(operator) {
  const groups = new Map();
  for (const [id, bytes] of operator.raw.typical ? operator.raw.typical.held : []) {
    const name = operator.siteName(id);
    if (!groups.has(name)) groups.set(name, { ids: [], name, bytes: 0n });
    const group = groups.get(name);
    group.ids.push(id);
    group.bytes += BigInt(bytes);
  }
  return [...groups.values()].sort((a, b) => (a.bytes < b.bytes ? 1 : a.bytes > b.bytes ? -1 : 0));
}

function chainNode(operator, site) {
  const calls = site ? site.chain.filter((place) => !site.at || place[0] !== site.at[0] || place[1] !== site.at[1]) : [];
  if (!calls.length) return null;
  return h("span", { class: "quiet chain" }, " from ", calls.map((place, i) => [i ? " ← " : "", placeNode(operator.data, place)]));
}

/// The table of sites; update(shape) computes the bytes at another shape.
function sitesSection(operator) {
  const groups = siteGroups(operator);
  if (!groups.length) return null;
  const typical = operator.raw.typical, peak = BigInt(typical.peak);
  const note = h("p", { class: "quiet" });
  const rows = groups.map((group) => {
    const site = operator.raw.sites[group.ids[0]];
    const formulas = [...new Set(group.ids.map((id) => (operator.raw.sites[id] || {}).formula || null))];
    const bytes = h("td", { class: "number" }), share = h("td", { class: "number" }), bar = h("span", { class: "bar", "aria-hidden": "true" });
    const row = h("tr", {}, h("td", {}, site ? placeNode(operator.data, site.at) : "inside libraries", site ? h("span", { class: "function" }, site.at ? shortFunction(site.at[2]) : "") : null,
      site && site.space ? h("span", { class: "tag" }, site.space) : null, group.ids.length === 1 ? chainNode(operator, site) : h("span", { class: "quiet chain" }, ` ${counted(group.ids.length, "call")} lead here`)),
    h("td", { class: "code" }, formulas[0] === null ? h("span", { class: "quiet" }, "no closed form") : [formulaNode(formulas[0]), group.ids.length > 1 ? h("span", { class: "quiet" }, formulas.length === 1 ? ` × ${group.ids.length}` : " and others") : null]),
    bytes, h("td", { class: "share" }, bar), share);
    return { group, row, bytes, share, bar };
  });
  const node = h("section", { class: "part" }, h("h4", {}, "Who holds the peak"), note,
    h("div", { class: "scroll", role: "group", "aria-label": "Sites at the peak", tabindex: "0" }, h("table", { class: "sites" }, h("caption", {}, "Allocation sites at the peak"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "place"), h("th", { scope: "col" }, "formula"), h("th", { scope: "col", class: "number" }, "bytes"), h("th", { scope: "col", colspan: "2", class: "number" }, "share of the peak"))),
      h("tbody", {}, rows.map((r) => r.row)))));

  function update(shape) {
    const found = operator.at(shape);
    const isTypical = shape.slice(0, typical.shape.length).every((value, i) => value === BigInt(typical.shape[i]));
    const at = isTypical || found.peak === null ? null : operator.sitesAt(shape, found.peak);
    const usesTypical = isTypical || !at;
    note.textContent = usesTypical
      ? `At ${operator.shapeText(typical.shape) || "the peak"}` + (isTypical ? "." : `: at the shape above ${found.peak === null ? "no figures are known" : "another phase may be the greatest, or a site has no formula, so that its sites are not known here"}.`)
      : `At ${operator.shapeText(shape)}; the formulas of the sites add up to the peak there.`;
    for (const { group, bytes, share, bar } of rows) {
      const value = usesTypical ? group.bytes : group.ids.reduce((sum, id) => sum + at.get(id), 0n);
      const whole = usesTypical ? peak : found.peak;
      bytes.textContent = inUnits(value);
      bytes.title = grouped(value) + " bytes";
      share.textContent = percent(Number(value), Number(whole));
      bar.style.setProperty("--part", whole > 0n ? Math.min(100, (100 * Number(value)) / Number(whole)) + "%" : "0%");
    }
  }
  return { node, update };
}

function decisionsSection(operator) {
  const list = operator.raw.decisions;
  if (!list.length) return null;
  return h("section", { class: "part" }, h("h4", {}, "What the data decides"),
    table("Decisions", [{ title: "", number: true }, { title: "place" }, { title: "condition", code: true }, { title: "kind" }, { title: "effect" }],
      list.map((d, i) => [String(i), placeNode(operator.data, d.at), h("code", {}, d.condition || shortFunction(d.at && d.at[2])), d.kind === "value" ? "a size from data" : d.in_loop ? "branch, in a loop" : "branch", d.effect || ""])));
}

function unknownSection(operator) {
  const list = operator.raw.unknown;
  if (!list.length) return null;
  return h("section", { class: "part" }, h("h4", {}, "Calls whose code is not known"),
    table("Unknown calls", [{ title: "function", code: true }, { title: "place" }, { title: "treatment" }, { title: "note" }],
      list.map((c) => [h("code", {}, c.symbol), placeNode(operator.data, c.at), c.treatment, c.note || ""])));
}

const text = (value) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");

function featuresSection(operator) {
  const features = operator.raw.features;
  if (!features) return null;
  const data = operator.data;
  const facts = [];
  const transformation = features.transformation || {};
  if (text(transformation.pattern)) {
    const outputs = (Array.isArray(transformation.outputs) ? transformation.outputs : [])
      .map((o) => text(o.name) || "returned value").join(", ");
    facts.push(["pattern", text(transformation.pattern).replaceAll("_", " ") + (outputs ? ": " + outputs : "")]);
  }
  const control = features.control.length ? features.control : [];
  const onData = control.filter((c) => c.depends_on === "data").length, guards = control.filter((c) => c.guards_allocation === true).length;
  const share = features.shares && typeof features.shares.control === "number" ? ` (${(100 * features.shares.control).toFixed(1)} % of all statements)` : "";
  facts.push(["control", counted((features.counts || {}).control || control.length, "statement") + share + `, ${onData} on data, ${guards} over an allocation`]);
  const lists = [
    ["allocations", "allocations in the source", features.allocations, (list) => table("Allocations in the source", [{ title: "place" }, { title: "name", code: true }, { title: "size", code: true }, { title: "remarks" }],
      list.map((a) => [placeNode(data, a.location), h("code", {}, text(a.name) || text(a.written_as)), text(a.size_written) ? h("code", {}, a.size_written) : `${text(a.depends_on)} size`,
        [a.loop_depth > 0 ? "in a loop" : "", a.growth === true ? "grows" : "", a.conditional === true ? "conditional" : "", text(a.space) !== "host" ? text(a.space) : ""].filter(Boolean).join(", ")]))],
    ["intermediates", "intermediate values", features.intermediates, (list) => table("Intermediates", [{ title: "place" }, { title: "name", code: true }, { title: "used in lines" }, { title: "life" }],
      list.map((v) => [placeNode(data, v.location), h("code", {}, text(v.name)), text(v.first_use) ? `${v.first_use} to ${text(v.last_use)}` : "not used",
        v.dies_before_return === true ? "dies before return" : v.dies_before_return === false ? "outlives the call" : ""]))],
    ["control", "control statements", control, (list) => table("Control statements", [{ title: "place" }, { title: "kind" }, { title: "condition", code: true }, { title: "depends on" }, { title: "over an allocation" }],
      list.map((c) => [placeNode(data, c.location), text(c.kind), h("code", {}, text(c.condition)), text(c.depends_on), c.guards_allocation === true ? "yes" : ""]))],
  ].filter(([, , list]) => list.length);
  return h("section", { class: "part" }, h("h4", {}, "What the source says"),
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    lists.map(([key, name, list, make]) => lazyDetails(`${grouped((features.counts || {})[key] || list.length)} ${name}`, () => make(list))),
    features.truncated === true ? h("p", { class: "quiet" }, "The source was too large to be walked as a whole: these lists may be incomplete.") : null);
}
