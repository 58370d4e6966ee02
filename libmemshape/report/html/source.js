// The files that the report speaks of, with their lines of interest marked.

const Keywords = new Set(("alignas alignof asm auto bool break case catch char class concept const consteval constexpr constinit const_cast continue " +
  "co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long " +
  "mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast requires restrict return short signed sizeof static " +
  "static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile " +
  "while __global__ __device__ __host__ __shared__").split(" "));
const Token = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|\b\d[\w.']*|[\p{L}_]\w*|./gu;

/// Nodes of one line, and whether it ends inside a comment.
function highlighted(line, inComment) {
  const nodes = [];
  let rest = line;
  if (inComment) {
    const end = rest.indexOf("*/");
    if (end < 0) return [[h("span", { class: "c" }, rest)], true];
    nodes.push(h("span", { class: "c" }, rest.slice(0, end + 2)));
    rest = rest.slice(end + 2);
  }
  let plain = "";
  const flush = () => { if (plain) nodes.push(plain); plain = ""; };
  for (const [token] of rest.matchAll(Token)) {
    const kind = /^(\/\/|\/\*)/.test(token) ? "c" : /^["']./.test(token) ? "s" : /^\s*#/.test(token) ? "p" : /^\d/.test(token) ? "n" : Keywords.has(token) ? "k" : null;
    if (!kind) {
      plain += token;
      continue;
    }
    flush();
    nodes.push(h("span", { class: kind }, token));
    if (token.startsWith("/*") && !token.endsWith("*/")) inComment = true;
    else inComment = false;
  }
  flush();
  return [nodes, inComment && /\/\*(?!.*\*\/)/.test(rest)];
}

/// Map of file number to Map of line to marks: what happens there, in words.
function marksOf(operators) {
  const marks = new Map();
  const add = (place, what, weight) => {
    if (!place || !place[1]) return;
    if (!marks.has(place[0])) marks.set(place[0], new Map());
    const lines = marks.get(place[0]);
    if (!lines.has(place[1])) lines.set(place[1], { texts: new Set(), weight: 0 });
    const line = lines.get(place[1]);
    if (what) line.texts.add(what);
    line.weight = Math.max(line.weight, weight);
  };
  for (const operator of operators) {
    const typical = operator.raw.typical;
    const sums = new Map();
    for (const [id, bytes] of typical ? typical.held : []) {
      const site = operator.raw.sites[id];
      if (!site || !site.at) continue;
      const key = site.at[0] + ":" + site.at[1];
      sums.set(key, { place: site.at, bytes: (sums.get(key) || { bytes: 0n }).bytes + BigInt(bytes) });
    }
    for (const { place, bytes } of sums.values()) add(place, `${inUnits(bytes)} at the peak of ${operator.raw.name}`, Number(bytes) / Math.max(1, Number(typical.peak)));
    for (const site of operator.raw.sites) add(site.at, null, 0);
    operator.raw.decisions.forEach((d, i) => add(d.at, `decision ${i} of ${operator.raw.name}`, 0));
    add(operator.raw.at, `operator ${operator.raw.name}`, 0);
  }
  return marks;
}

function fileNode(data, number, marks) {
  const file = data.files[number];
  if (file.missing)
    return h("div", { class: "file", id: `file-${number}` }, h("p", {}, h("code", {}, file.path), ": " + file.missing + "; its lines are not shown."));
  const node = lazyDetails(h("code", {}, file.name), () => {
    const lines = [];
    let next = 1;
    for (const [first, block] of file.parts) {
      if (first > next) lines.push(h("li", { class: "gap" }, `lines ${next} to ${first - 1} are left out`));
      let inComment = false;
      block.replace(/\n$/, "").split("\n").forEach((line, i) => {
        const [nodes, open] = highlighted(line, inComment);
        inComment = open;
        const mark = marks && marks.get(first + i);
        lines.push(h("li", { id: `file-${number}-${first + i}`, class: mark ? "marked" : null },
          h("span", { class: "line-number" }, String(first + i)), h("code", {}, nodes.length ? nodes : " "),
          mark && mark.texts.size ? h("span", { class: "mark" }, [...mark.texts].join("; ")) : null));
        next = first + i + 1;
      });
    }
    if (!file.whole) lines.push(h("li", { class: "gap" }, "more lines may follow"));
    return h("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": file.name }, h("ol", { class: "code-lines" }, lines));
  });
  node.id = `file-${number}`;
  node.classList.add("file");
  return node;
}

/// Opens the file that a link leads to, so that its line is there to be shown.
function followLink() {
  if (/^#operator-\d+$/.test(location.hash)) {
    const section = document.getElementById(location.hash.slice(1));
    if (section) section.scrollIntoView();
    return;
  }
  const found = /^#file-(\d+)(?:-(\d+))?$/.exec(location.hash);
  if (!found) return;
  const file = document.getElementById(`file-${found[1]}`);
  if (!file) return;
  if (file.fill) {
    file.fill();
    file.open = true;
  }
  const line = document.getElementById(location.hash.slice(1)) || file;
  document.querySelectorAll(".code-lines .target").forEach((old) => old.classList.remove("target"));
  line.classList.add("target");
  line.setAttribute("tabindex", "-1");
  line.scrollIntoView({ block: "center" });
  line.focus({ preventScroll: true });
}
