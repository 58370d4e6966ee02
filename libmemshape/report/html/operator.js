// One operator: formulas that can be evaluated, the skeleton's figures, and how sure they are.

const Figures = ["peak", "total", "output", "allocations"];
const LibrarySite = -1;

class Operator {
  constructor(data, raw, number) {
    this.data = data;
    this.raw = raw;
    this.id = "operator-" + number;
    // Sizes that data decides are symbols of a formula, but not part of a skeleton's shape.
    this.symbols = raw.formulas.peak ? raw.formula_symbols : raw.symbols;
    this.formulas = {};
    for (const name of Figures) {
      const found = raw.formulas[name];
      const evaluate = found && parseFormula(found.text);
      if (evaluate) this.formulas[name] = { ...found, evaluate };
    }
    this.siteFormulas = raw.sites.map((site) => (site.formula ? parseFormula(site.formula) : null));
    this.table = raw.table.map(([shape, ...figures]) => ({
      shape: shape.map(BigInt),
      ...Object.fromEntries(Figures.map((name, i) => [name, BigInt(figures[i])])),
    }));
    // A formula may fail beyond the range in which it was compared. The skeleton's answers there show whether it does.
    const beyond = this.formulas.peak ? this.table.filter((row) => !this.inside(row.shape, "peak")) : [];
    this.holdsBeyond = beyond.length > 0 && beyond.every((row) => integerAt(this.formulas.peak.evaluate, this.named(row.shape)) === row.peak);
    this.seenBeyond = beyond.length;
    this.byShape = new Map(this.table.map((row) => [row.shape.join(), row]));
  }

  /// The shape at which the page begins. A size that data decides begins with the same value as the symbols.
  startShape() {
    const typical = this.raw.typical ? this.raw.typical.shape : [];
    return this.symbols.map((_, i) => BigInt(typical[i] ?? 100));
  }

  largest(i) {
    return BigInt(this.raw.largest[i] ?? "9223372036854775807");
  }

  /// {peak, total, output, allocations, from, inside}: BigInts or null; from: "formula", "skeleton" or null where nothing
  /// is known at the shape; inside: the formula was checked in the ranges that the shape lies in.
  at(shape) {
    const row = this.byShape.get(shape.slice(0, this.raw.symbols.length).join());
    const out = { from: null, inside: true };
    for (const name of Figures) out[name] = null;
    if (this.formulas.peak) {
      const names = this.named(shape);
      out.inside = this.inside(shape, "peak");
      const usable = out.inside || this.holdsBeyond;
      // Each formula was compared with the skeleton in its own range. Outside of it only the peak is shown.
      for (const name of Figures)
        if (this.formulas[name] && (name === "peak" ? usable : this.inside(shape, name))) out[name] = integerAt(this.formulas[name].evaluate, names);
      out.from = out.peak === null ? null : "formula";
    }
    // Where the skeleton was asked, its answer is used. A size from data is not part of its shape.
    if (row && this.symbols.length === this.raw.symbols.length) {
      out.disagrees = out.from === "formula" && out.inside && out.peak !== row.peak;
      for (const name of Figures) out[name] = row[name];
      out.from = "skeleton";
    }
    if (out.peak !== null && out.peak >= 2n ** 63n) out.tooLarge = true;
    return out;
  }

  named(shape) {
    return new Map(this.symbols.map((name, i) => [name, shape[i]]));
  }

  inside(shape, name) {
    return this.formulas[name].domain.every(([low, high], i) => shape[i] >= BigInt(low) && shape[i] <= BigInt(high));
  }

  domainText(name = "peak") {
    return this.formulas[name].domain
      .map(([low, high], i) => (low === high ? `${this.symbols[i]} = ${low}` : `${grouped(low)} ≤ ${this.symbols[i]} ≤ ${grouped(high)}`))
      .join(", ");
  }

  /// Whether the formula agrees with the figures at which the page begins; some formulas hold for a part of all shapes
  /// only.
  formulaHoldsAtStart() {
    const { typical } = this.raw;
    return Boolean(this.formulas.peak && typical) && String(integerAt(this.formulas.peak.evaluate, this.named(this.startShape()))) === typical.peak;
  }

  /// The largest computed shape that is nowhere above this one, and the smallest that is nowhere below.
  neighbours(shape) {
    const below = this.table.filter((row) => row.shape.every((value, i) => value <= shape[i]));
    const above = this.table.filter((row) => row.shape.every((value, i) => value >= shape[i]));
    const volume = (row) => row.shape.reduce((a, b) => a * (b || 1n), 1n);
    const pick = (rows, better) => rows.reduce((best, row) => (!best || better(volume(row), volume(best)) ? row : best), null);
    return [pick(below, (a, b) => a > b), pick(above, (a, b) => a < b)];
  }

  /// Bytes of every site at a shape, by its number; null where the formulas do not add up to the peak there, because
  /// another phase of the operator is the greatest or a site has no formula.
  sitesAt(shape, peak) {
    const names = this.named(shape);
    let sum = 0n;
    const bytes = new Map();
    for (const [id, held] of this.raw.typical ? this.raw.typical.held : []) {
      if (id === LibrarySite || !this.siteFormulas[id]) return null;
      const value = integerAt(this.siteFormulas[id], names);
      if (value === null || value < 0n) return null;
      if (!this.raw.sites[id].space) sum += value;
      bytes.set(id, value);
    }
    return sum === peak ? bytes : null;
  }

  /// {kind, word, text}: how sure the figures at the typical shape are.
  verdict() {
    const typical = this.raw.typical;
    if (!this.raw.sliced) return { kind: "none", word: "no skeleton", text: this.raw.trouble };
    if (!typical) return { kind: "none", word: "no figures", text: this.raw.trouble };
    if (typical.exact)
      return { kind: "exact", word: "exact", text: "derived from the source; nothing that data decides changes it at this shape" };
    if (typical.lower !== undefined && typical.upper !== null) {
      const range = `between ${inUnits(BigInt(typical.lower))} and ${inUnits(BigInt(typical.upper))}`;
      return typical.proven
        ? { kind: "bounded", word: "bounded", text: `data decides: ${range}, whatever it answers` }
        : { kind: "tried", word: "range tried", text: `data decides: ${range} for the answers that were tried` };
    }
    return { kind: "open", word: "no upper bound", text: `at least ${inUnits(BigInt(typical.lower ?? typical.peak))}; how much more is not known` };
  }

  /// "ni=100, nx=100"
  shapeText(shape, separator = ", ") {
    return this.raw.symbols.map((name, i) => `${name}=${shape[i]}`).join(separator);
  }

  siteName(id) {
    if (id === LibrarySite) return "inside libraries";
    const site = this.raw.sites[id];
    if (!site) return "site " + id;
    const name = site.at ? shortFunction(site.at[2]) : "";
    return placeText(this.data, site.at) + (name ? ` (${name})` : "");
  }
}
