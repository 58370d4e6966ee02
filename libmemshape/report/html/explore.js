// Fields and sliders for a shape; what follows from it is shown at once.

/// A slider's 0 … 1000 on a logarithmic axis from 1 to high.
function fromSlider(position, high) {
  return BigInt(Math.round(Math.exp((position / 1000) * Math.log(high))));
}
function toSlider(value, high) {
  return String(Math.round((1000 * Math.log(Math.max(1, Number(value)))) / Math.log(high)));
}

/// Calls Changed with the shape, an array of BigInts, at first and after every change.
function shapeFields(operator, changed) {
  const shape = operator.startShape();
  const status = h("p", { class: "complaint", role: "alert" });
  const fields = operator.symbols.map((name, i) => {
    const largest = operator.largest(i);
    const domain = operator.formulas.peak ? Number(operator.formulas.peak.domain[i][1]) : 2000;
    const high = Math.max(2, Math.min(Number(largest), Math.max(10000, 10 * domain)));
    const id = `${operator.id}-symbol-${i}`;
    const field = h("input", { id, type: "text", inputmode: "numeric", autocomplete: "off", spellcheck: "false", value: String(shape[i]) });
    const slider = h("input", { type: "range", min: "0", max: "1000", value: toSlider(shape[i], high), "aria-label": `${name}, as a slider` });
    slider.setAttribute("aria-valuetext", String(shape[i]));
    const take = (value) => {
      shape[i] = value;
      slider.setAttribute("aria-valuetext", String(value));
      changed(shape);
    };
    field.addEventListener("input", () => {
      const value = readInteger(field.value);
      const fits = value !== null && value <= largest;
      field.setAttribute("aria-invalid", String(!fits));
      status.textContent = fits ? "" : value === null ? `${name} is a whole number, as in 400 or 1,000` : `${name} holds at most ${grouped(largest)}`;
      if (!fits) return;
      slider.value = toSlider(value, high);
      take(value);
    });
    slider.addEventListener("input", () => {
      const value = fromSlider(Number(slider.value), high);
      field.value = String(value);
      field.setAttribute("aria-invalid", "false");
      status.textContent = "";
      take(value);
    });
    const fromData = i >= operator.raw.symbols.length;
    return h("div", { class: "symbol" }, h("label", { for: id }, h("code", {}, name), fromData ? h("span", { class: "quiet" }, " from data") : null), field, slider);
  });
  return { node: h("fieldset", { class: "shape" }, h("legend", {}, "Try a shape"), h("div", { class: "symbols" }, fields), status), start: () => changed(shape), shape };
}

/// The figures at a shape, and where they come from.
function answerPanel(operator) {
  const peak = h("output", { class: "peak" }), bytes = h("p", { class: "bytes" });
  const others = h("dl", { class: "others" }), note = h("p", { class: "note" });
  const command = h("code", { class: "command" });
  const node = h("div", { class: "answer", "aria-live": "polite" }, h("p", { class: "label" }, "Peak heap"), peak, bytes, others, note,
    h("p", { class: "ask" }, h("span", { class: "quiet" }, "in a terminal: "), command));

  function show(shape) {
    const found = operator.at(shape);
    peak.textContent = found.peak === null ? "not known here" : found.tooLarge ? "beyond 2⁶³ bytes" : inUnits(found.peak);
    bytes.textContent = found.peak === null ? "" : grouped(found.peak) + " bytes";
    others.replaceChildren(...[["left at return", found.output, true], ["requested in all", found.total, true], ["allocations", found.allocations, false]]
      .filter(([, value]) => value !== null)
      .map(([label, value, isBytes]) => h("div", {}, h("dt", {}, label), h("dd", { title: grouped(value) + (isBytes ? " bytes" : "") }, isBytes ? inUnits(value) : grouped(value)))));
    note.replaceChildren(...noteOf(operator, shape, found));
    const settings = operator.raw.settings.map((s) => `${s.name}=${s.value}`).join(",");
    command.textContent = `memshape predict ${operator.raw.input} --operator '${operator.raw.name}'` +
      (operator.raw.symbols.length ? ` --shape ${operator.shapeText(shape, ",").replaceAll(", ", ",")}` : "") + (settings ? ` --set ${settings}` : "");
  }
  return { node, show };
}

function noteOf(operator, shape, found) {
  const lines = [];
  const typical = operator.raw.typical;
  if (found.disagrees) lines.push("The formula gives another figure than the skeleton here: please report it.");
  if (found.from === "skeleton") lines.push("From the skeleton, which was run at this shape.");
  else if (found.from === "formula" && found.inside)
    lines.push(`From the formula, computed exactly; it was compared with the skeleton at ${grouped(operator.formulas.peak.verified)} other shapes in this range.`);
  else if (found.from === "formula")
    lines.push(`From the formula, outside the range in which it was compared (${operator.domainText()}); it agrees with the skeleton at ${counted(operator.seenBeyond, "shape")} beyond it, but nothing says that it must. The command below asks the skeleton.`);
  else {
    lines.push(operator.formulas.peak ? `The formula holds for ${operator.domainText()}, and this shape was not run.` : "This operator has no closed form, and this shape was not run.");
    const [below, above] = operator.neighbours(shape);
    const said = [below && `${inUnits(below.peak)} at ${operator.shapeText(below.shape)}`, above && `${inUnits(above.peak)} at ${operator.shapeText(above.shape)}`].filter(Boolean);
    if (said.length) lines.push(`Near it: ${said.join("; ")}. These are no bounds.`);
  }
  if (typical && !typical.exact && found.peak !== null)
    lines.push("Data decides about allocations here: the figure is for the answers that the skeleton proposes.");
  return lines.map((line) => h("span", {}, line + " "));
}
