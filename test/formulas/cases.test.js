// The formulas of the report, against the table of cases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   node cases.test.js FORMULA.js CASES.json
"use strict";
const fs = require("fs");
const vm = require("vm");

const [, , script, table] = process.argv;
const { cases } = JSON.parse(fs.readFileSync(table, "utf8"));
// A script of a page shares its declarations with whatever is joined to it.
const parseFormula = vm.runInThisContext(fs.readFileSync(script, "utf8") + "\nparseFormula");

/// "3", "3/2", null without a value, undefined where the text is no formula.
function valueOf({ text, at = {} }) {
  const formula = parseFormula(text);
  if (formula === null) return undefined;
  try {
    const { n, d } = formula(new Map(Object.entries(at).map(([name, value]) => [name, BigInt(value)])));
    return d === 1n ? String(n) : `${n}/${d}`;
  } catch {
    return null;
  }
}

let wrong = 0;
for (const one of cases) {
  // What is irrational has no value in a page, which computes exactly.
  const wanted = "error" in one ? undefined : "approximately" in one ? null : one.value;
  const found = valueOf(one);
  if (found === wanted) continue;
  ++wrong;
  console.error(`${one.text} at ${JSON.stringify(one.at)}: ${found}, not ${wanted}`);
}
console.log(`${cases.length - wrong} of ${cases.length} cases`);
process.exitCode = wrong || !cases.length ? 1 : 0;
