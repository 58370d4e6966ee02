// Formulas as memshape prints them, evaluated exactly: fractions of integers without a limit. The
// language is that of docs/formats.md, section 10, in the order of model/formula/ExpressionReader.cpp.

/// {n, d} with d > 0, in lowest terms.
function fraction(n, d = 1n) {
  if (d < 0n) [n, d] = [-n, -d];
  let [a, b] = [n < 0n ? -n : n, d];
  while (b) [a, b] = [b, a % b];
  return a > 1n ? { n: n / a, d: d / a } : { n, d };
}

function floorOf(x) {
  const q = x.n / x.d;
  return x.n % x.d < 0n ? q - 1n : q;
}

function lessThan(a, b) {
  return a.n * b.d < b.n * a.d;
}

function ceilOf(x) {
  return -floorOf(fraction(-x.n, x.d));
}

function quotient(a, b) {
  if (!b.n) throw new Error("division by zero");
  return fraction(a.n * b.d, a.d * b.n);
}

/// What stands for a name in a formula, or throws an Error where there is no value. A function takes as many arguments as
/// it has parameters; max and min take any number. Square roots and logarithms have no exact value: a formula with them
/// is read, and has none here.
const FormulaFunctions = {
  max: (...list) => list.reduce((a, b) => (lessThan(a, b) ? b : a)),
  min: (...list) => list.reduce((a, b) => (lessThan(b, a) ? b : a)),
  floor: (x) => fraction(floorOf(x)),
  ceil: (x) => fraction(ceilOf(x)),
  trunc: (x) => fraction(x.n / x.d),
  mod: (a, b) => {
    const q = quotient(a, b), whole = q.n / q.d;
    return fraction(a.n * b.d - whole * b.n * a.d, a.d * b.d);
  },
  pow2ceil: (x) => {
    const whole = ceilOf(x);
    if (whole > 1n << 62n) throw new Error("pow2ceil() is for sizes up to 2^62");
    let power = 1n;
    while (power < whole) power *= 2n;
    return fraction(power);
  },
  halved: (x, end) => {
    if (x.d !== 1n || end.d !== 1n || end.n < 1n) throw new Error("halved() is for positive integers");
    let value = x.n;
    while (value > end.n && value % 2n === 0n) value /= 2n;
    return fraction(value);
  },
  smooth: (x, largest) => {
    const whole = ceilOf(x);
    if (whole > 1n << 40n) throw new Error("smooth() is for sizes up to 2^40");
    const products = [1n];
    for (const prime of [3n, 5n, 7n, 11n, 13n])
      if (prime * largest.d <= largest.n)
        for (let i = 0; i < products.length; ++i) if (products[i] * prime < 2n * whole) products.push(products[i] * prime);
    let best = null;
    for (let value of products) {
      while (value < whole) value *= 2n;
      if (best === null || value < best) best = value;
    }
    return fraction(best);
  },
  above: (x, limit) => fraction(lessThan(limit, x) ? 1n : 0n),
  isqrt: (x) => {
    const whole = floorOf(x);
    if (whole < 0n) throw new Error("isqrt() is for no negative number");
    let low = 0n, high = 1n;
    while (high * high <= whole) high *= 2n;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (middle * middle <= whole) low = middle;
      else high = middle;
    }
    return fraction(low);
  },
  ilog2: (x) => {
    if (x.n < 0n) throw new Error("ilog2() is for no negative number");
    let power = 0n;
    for (let rest = floorOf(x); rest > 1n; rest /= 2n) power += 1n;
    return fraction(power);
  },
  sqrt: (x) => { throw new Error("sqrt() is not exact: " + x.n); },
  log2: (x) => { throw new Error("log2() is not exact: " + x.n); },
};

/// A decimal number as a fraction.
function decimal(token) {
  const [, whole, behind = "", exponent = "0"] = token.match(/^(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/);
  const scale = Number(exponent) - behind.length;
  if (!(Math.abs(scale) < 400) || !(Number(token) < Infinity)) throw new Error("a number is not finite");
  const digits = BigInt(whole + behind);
  return scale < 0 ? fraction(digits, 10n ** BigInt(-scale)) : fraction(digits * 10n ** BigInt(scale));
}

/// A function from a Map of names and BigInts to a fraction; null where the text is no formula.
function parseFormula(text) {
  const tokens = text.match(/[\p{L}_$][\p{L}\p{N}_$.]*(?:\[\d+\](?:\.[\p{L}_$][\p{L}\p{N}_$.]*)?)*(?:\(\))?|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|\S/gu) || [];
  const deepest = 100, largestExponent = 64n;
  let at = 0, depth = 0;
  const take = (token) => tokens[at] === token && (at++, true);
  const expect = (token) => {
    if (!take(token)) throw new Error("expected " + token);
  };
  const nested = (inner) => {
    if (++depth > deepest) throw new Error("it nests too deep");
    const value = inner();
    --depth;
    return value;
  };

  const sum = () => nested(() => {
    let value = product();
    for (;;) {
      const left = value;
      if (take("+")) {
        const right = product();
        value = (at) => { const a = left(at), b = right(at); return fraction(a.n * b.d + b.n * a.d, a.d * b.d); };
      } else if (take("-")) {
        const right = product();
        value = (at) => { const a = left(at), b = right(at); return fraction(a.n * b.d - b.n * a.d, a.d * b.d); };
      } else return value;
    }
  });
  function product() {
    let value = power();
    for (;;) {
      const left = value;
      if (take("*")) {
        const right = power();
        value = (at) => { const a = left(at), b = right(at); return fraction(a.n * b.n, a.d * b.d); };
      } else if (take("/")) {
        const right = power();
        value = (at) => quotient(left(at), right(at));
      } else return value;
    }
  }
  const power = () => nested(() => {
    if (take("-")) {
      const value = power();
      return (at) => { const a = value(at); return fraction(-a.n, a.d); };
    }
    const base = operand();
    if (!take("^")) return base;
    const exponent = power();
    return (at) => {
      const a = base(at), b = exponent(at), times = b.n < 0n ? -b.n : b.n;
      if (b.d !== 1n || times > largestExponent) throw new Error("the exponent is too large, or no integer");
      const raised = { n: a.n ** times, d: a.d ** times };
      return b.n < 0n ? quotient(fraction(1n), raised) : raised;
    };
  });
  function operand() {
    const token = tokens[at++];
    if (token === undefined) throw new Error("the formula ends early");
    if (token === "(") {
      const inner = sum();
      expect(")");
      return inner;
    }
    if (/^\.?\d/.test(token)) {
      const value = decimal(token);
      return () => value;
    }
    if (!/^[\p{L}_$]/u.test(token)) throw new Error("unexpected " + token);
    if (take("(")) {
      const what = Object.hasOwn(FormulaFunctions, token) && FormulaFunctions[token];
      if (!what) throw new Error("unknown function " + token);
      const list = [sum()];
      while (take(",")) list.push(sum());
      expect(")");
      if (what.length && what.length !== list.length) throw new Error("wrong number of arguments for " + token);
      return (at) => what(...list.map((argument) => argument(at)));
    }
    return (at) => {
      if (!at.has(token)) throw new Error("no value for " + token);
      return fraction(at.get(token));
    };
  }

  try {
    const value = sum();
    if (at !== tokens.length) return null;
    return value;
  } catch {
    return null;
  }
}

/// The value at a shape as a BigInt; null where there is none or it is no integer.
function integerAt(formula, symbols) {
  try {
    const value = formula(symbols);
    return value.d === 1n ? value.n : null;
  } catch {
    return null;
  }
}
