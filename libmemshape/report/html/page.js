// The document: making elements, tables and links.

/// h("a", {href: "#x", class: "place"}, "text", child, ...); null children are left out.
function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/// A table that scrolls by itself where it is wider than the screen. Columns: {title, number}; cells: text or nodes.
function table(caption, columns, rows, attributes = {}) {
  const head = h("tr", {}, columns.map((c) => h("th", { scope: "col", class: c.number ? "number" : null }, c.title)));
  const body = rows.map((row) =>
    h("tr", row.attributes || {}, (row.cells || row).map((cell, i) =>
      h("td", { class: columns[i].number ? "number" : columns[i].code ? "code" : null }, cell))));
  return h("div", { class: "scroll", role: "group", "aria-label": caption, tabindex: "0" },
    h("table", attributes, h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, body)));
}

function details(summary, ...content) {
  return h("details", {}, h("summary", {}, summary), ...content);
}

/// Content that is made when the section is opened, or when the page is printed.
function lazyDetails(summary, make) {
  const element = h("details", {}, h("summary", {}, summary));
  let made = false;
  element.fill = () => {
    if (made) return;
    made = true;
    element.append(...[make()].flat());
  };
  element.addEventListener("toggle", () => element.open && element.fill());
  return element;
}

/// A formula with products and powers set as in print; copying it gives the text that the tools print.
function formulaNode(text) {
  const node = h("code", { class: "formula" });
  for (const part of text.split(/(\^\d+|\*)/)) {
    if (/^\^\d/.test(part)) node.append(h("sup", {}, h("span", { class: "copied" }, "^"), part.slice(1)));
    else if (part === "*") node.append(h("span", { class: "times" }, "*"));
    else if (part) node.append(part);
  }
  return node;
}

/// A place as the document gives it, [file, line, function], as a link to the source below.
function placeNode(data, place) {
  if (!place) return h("span", { class: "quiet" }, "no line known");
  const [file, line] = place;
  return h("a", { class: "place", href: `#file-${file}-${line}` }, placeText(data, place));
}

function placeText(data, place) {
  if (!place) return "no line known";
  const name = data.files[place[0]].name;
  return name.slice(name.lastIndexOf("/") + 1) + (place[1] ? ":" + place[1] : "");
}

/// "smoothLines<…>": without the arguments of templates, where these make it long.
function shortFunction(name) {
  if (!name || name.length <= 40) return name || "";
  const open = name.indexOf("<"), close = name.lastIndexOf(">");
  return open < 0 || close < open ? name : name.slice(0, open) + "<…>" + name.slice(close + 1);
}

/// Calls Draw when Element has become wider or narrower.
function onResize(element, draw) {
  if (typeof ResizeObserver === "undefined") return;
  let before = element.clientWidth;
  new ResizeObserver(() => {
    const now = element.clientWidth;
    if (now && now !== before) requestAnimationFrame(draw);
    before = now || before;
  }).observe(element);
}

/// Calls Draw once Element comes near the screen, or when the page is printed.
const notYetDrawn = new Map();
const watcher = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => drawNow(entry.target)),
  { rootMargin: "600px" });
function drawNow(element) {
  const draw = notYetDrawn.get(element);
  notYetDrawn.delete(element);
  if (watcher) watcher.unobserve(element);
  if (draw) draw();
}
function drawLater(element, draw) {
  notYetDrawn.set(element, draw);
  if (watcher) watcher.observe(element);
  else drawNow(element);
}
