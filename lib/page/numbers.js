// Numbers as the program writes them: the same rules, so that changing the decimals changes nothing else.
const LEAST_DECIMALS = 2;

function isNearly(a, b) {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Object.is(a, b);
  return Math.abs(a - b) <= 4 * Number.EPSILON * Math.max(Math.abs(a), Math.abs(b));
}

// Without the sign of −0.
function fixed(value, decimals) {
  const text = Math.abs(value).toFixed(decimals);
  return (value < 0 && /[1-9]/.test(text) ? "-" : "") + text;
}

function scientific(value, decimals) {
  return value.toExponential(decimals).replace(/e([+-])(\d)$/, "e$10$2");
}

function special(value) {
  return Number.isNaN(value) ? "NaN" : value < 0 ? "−∞" : "∞";
}

function decimalsOf(value, inScience) {
  if (!Number.isFinite(value)) return 0;
  const [digits, power] = value.toExponential().split("e");
  const mantissa = (digits.split(".")[1] || "").length;
  return inScience ? mantissa : Math.max(0, mantissa - Number(power));
}

// One format for all numbers of a matrix.
function chooseFormat(values, most) {
  let largest = 0;
  for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  const inScience = largest >= 1e5 || (largest > 0 && largest < 1e-3);
  let decimals = 0;
  for (const value of values) decimals = Math.max(decimals, decimalsOf(value, inScience));
  return { decimals: Math.min(decimals, most), scientific: inScience };
}

function formatNumber(value, format) {
  if (!Number.isFinite(value)) return special(value);
  const text = (format.scientific ? scientific : fixed)(value === 0 ? 0 : value, format.decimals);
  if (value === 0 || /[1-9]/.test(text.split("e")[0])) return text;
  return (value < 0 ? ">-" : "<") + (format.decimals > 0 ? "." + "0".repeat(format.decimals - 1) : "") + "1";
}

// A number inside arithmetic: no zeros at the end where it is exact, up to two decimals more where they make it so.
function shortNumber(value, most) {
  if (!Number.isFinite(value)) return special(value);
  const decimals = Math.max(most, LEAST_DECIMALS), size = Math.abs(value);
  if ((size > 0 && size <= 0.5 * 10 ** -decimals) || size >= 1e16) {
    const text = scientific(value, decimals - 1).replace(/\.?0*e/, "e");
    const power = Number(text.split("e")[1]);
    return power < -4 || power >= decimals ? text : String(Number(text));
  }
  const exact = fixed(value, Math.min(decimals + 2, 17));
  return isNearly(Number(exact), value) ? exact.replace(/\.?0+$/, "") : fixed(value, decimals);
}
