// Numbers for display, printed as libmemshape/text/Figures.h does.

const Units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];

/// "2,560,000,044"
function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/// "2.38 GiB"; below 1 KiB "44 B". Takes BigInts and numbers.
function inUnits(value) {
  let unit = 0, scaled = Number(value);
  const negative = scaled < 0;
  scaled = Math.abs(scaled);
  while (scaled >= 1023.995 && unit + 1 < Units.length) {
    scaled /= 1024;
    unit++;
  }
  return (negative ? "-" : "") + (unit ? scaled.toFixed(2) : String(Math.round(scaled))) + "\u00a0" + Units[unit];
}

/// For axes: "64 KiB", "2 GiB".
function inShortUnits(value) {
  let unit = 0;
  while (value >= 1024 && unit + 1 < Units.length) {
    value /= 1024;
    unit++;
  }
  return (value >= 10 ? Math.round(value) : Number(value.toPrecision(2))) + " " + Units[unit];
}

function percent(part, whole) {
  return whole > 0 ? ((100 * part) / whole).toFixed(1) + "\u00a0%" : "";
}

function counted(count, what) {
  return grouped(count) + " " + what + (count === 1 ? "" : "s");
}

/// The integer that a user types, such as "1,000" or "1e6"; "2k" is no integer. BigInt or null.
function readInteger(text) {
  const plain = text.trim().replace(/[,_\s]/g, "");
  if (/^\d{1,19}$/.test(plain)) return BigInt(plain);
  const power = /^(\d{1,9})[eE](\d{1,2})$/.exec(plain);
  return power && Number(power[2]) <= 18 ? BigInt(power[1]) * 10n ** BigInt(power[2]) : null;
}

/// Integers spread evenly on a logarithmic axis between two integers, both included.
function spread(low, high, count) {
  const values = new Set();
  const from = Math.log(Math.max(1, low)), to = Math.log(Math.max(1, high));
  for (let i = 0; i <= count; i++) values.add(Math.round(Math.exp(from + ((to - from) * i) / count)));
  return [...values];
}
