// Formulas as memshape prints them, evaluated exactly: fractions of integers without a limit. docs/commands.md, "Formulas".

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

/// What stands for a name in a formula, or throws an Error whose message is for the reader.
const FormulaFunctions = {
  max: (...list) => list.reduce((a, b) => (lessThan(a, b) ? b : a)),
  min: (...list) => list.reduce((a, b) => (lessThan(b, a) ? b : a)),
  floor: (x) => fraction(floorOf(x)),
  ceil: (x) => fraction(-floorOf(fraction(-x.n, x.d))),
  pow2ceil: (x) => {
    const whole = -floorOf(fraction(-x.n, x.d));
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
    const whole = -floorOf(fraction(-x.n, x.d));
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
    let power = 0n;
    for (let rest = floorOf(x); rest > 1n; rest /= 2n) power += 1n;
    return fraction(power);
  },
};

/// A function from a Map of names and BigInts to a fraction; null where the text is no formula.
function parseFormula(text) {
  const tokens = text.match(/[\p{L}_$][\p{L}\p{N}_$.]*|\d+|[-+*\/^(),]|\S/gu) || [];
  let at = 0;
  const take = (token) => tokens[at] === token && (at++, true);
  const expect = (token) => {
    if (!take(token)) throw new Error("expected " + token);
  };

  function sum() {
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
  }
  function product() {
    let value = signed();
    for (;;) {
      const left = value;
      if (take("*")) {
        const right = signed();
        value = (at) => { const a = left(at), b = right(at); return fraction(a.n * b.n, a.d * b.d); };
      } else if (take("/")) {
        const right = signed();
        value = (at) => {
          const a = left(at), b = right(at);
          if (!b.n) throw new Error("division by zero");
          return fraction(a.n * b.d, a.d * b.n);
        };
      } else return value;
    }
  }
  function signed() {
    if (!take("-")) return power();
    const value = signed();
    return (at) => { const a = value(at); return fraction(-a.n, a.d); };
  }
  function power() {
    const base = atom();
    if (!take("^")) return base;
    const exponent = BigInt(tokens[at++]);
    if (exponent > 64n) throw new Error("the exponent is too large");
    return (at) => { const a = base(at); return fraction(a.n ** exponent, a.d ** exponent); };
  }
  function atom() {
    const token = tokens[at++];
    if (token === undefined) throw new Error("the formula ends early");
    if (/^\d+$/.test(token)) {
      const value = fraction(BigInt(token));
      return () => value;
    }
    if (token === "(") {
      const inner = sum();
      expect(")");
      return inner;
    }
    if (!/^[\p{L}_$]/u.test(token)) throw new Error("unexpected " + token);
    if (take("(")) {
      const what = Object.hasOwn(FormulaFunctions, token) && FormulaFunctions[token];
      if (!what) throw new Error("unknown function " + token);
      const list = [sum()];
      while (take(",")) list.push(sum());
      expect(")");
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
