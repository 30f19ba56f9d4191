// Arithmetic as the program writes it: with as few brackets as it takes, and ≈ where a number is rounded.
// What operations make of numbers: only to know whether one decides a result; none of these is shown.
const results = {
  "+": (v) => v.reduce((a, b) => a + b), "·": (v) => v.reduce((a, b) => a * b), "-": ([a]) => -a, "/": ([a, b]) => a / b,
  "e^": ([a]) => Math.exp(a), "²": ([a]) => a * a, max: (v) => Math.max(...v), tanh: ([a]) => Math.tanh(a),
  sin: ([a]) => Math.sin(a), cos: ([a]) => Math.cos(a), ln: ([a]) => Math.log(a), "√": ([a]) => Math.sqrt(a),
};

// A tree is {value}, also with the text or the leaf that it is, or {op, parts, value}.
function treeOf(pattern, cell) {
  if (!Array.isArray(pattern)) return pattern !== null && typeof pattern === "object" ? pattern : { value: read(pattern) };
  if (typeof pattern[0] === "string") {
    const op = pattern[0], parts = pattern.slice(1).map((part) => treeOf(part, cell));
    return { op, parts, value: op in results ? results[op](parts.map((part) => part.value)) : NaN };
  }
  const leaf = leafOf(pattern, cell);
  return { leaf, value: valueOf(leaf) };
}

const isNumber = (e) => e.op === undefined && e.text === undefined;

// How tightly an operation binds; parts that bind less get brackets.
function strength(e) {
  if (isNumber(e)) return e.value < 0 ? 1 : 4;
  if (e.op === "+") return e.parts.length === 1 ? strength(e.parts[0]) : 1;
  if (e.op === "/") return isNumber(e.parts[0]) && e.parts[0].value < 0 ? 1 : 2;
  return { "-": 1, "·": 2 }[e.op] || 4;
}

// A list of strings, and {text, value, leaf} for each number.
function written(e, decimals, out = []) {
  const part = (e, atLeast) => {
    const enclosed = strength(e) < atLeast;
    if (enclosed) out.push("(");
    written(e, decimals, out);
    if (enclosed) out.push(")");
  };
  const number = (e, value) => out.push({ text: shortNumber(value, decimals), value: e.value, leaf: e.leaf });
  const [first, ...others] = e.parts || [];
  if (isNumber(e)) number(e, e.value);
  else if (e.op === undefined) out.push(e.text);
  else if (e.op === "+") {
    part(first, 0);
    for (const term of others) {
      const minus = term.op === "-" || (isNumber(term) && term.value < 0);
      out.push(minus ? " - " : " + ");
      if (minus && isNumber(term)) number(term, -term.value);
      else part(term.op === "-" ? term.parts[0] : term, 2);
    }
  } else if (e.op === "·") {
    part(first, 2);
    for (const factor of others) out.push("·"), part(factor, 2);
  } else if (e.op === "-") {
    out.push("-");
    part(first, 2);
  } else if (e.op === "/") {
    part(first, isNumber(first) ? 0 : 2);
    out.push(" / ");
    part(others[0], 3);
  } else if (e.op === "e^") {
    out.push("e^");
    part(first, first.op === undefined ? 0 : 4);
  } else if (e.op === "²") {
    part(first, 4);
    out.push("²");
  } else {
    out.push(e.op + "(");
    written(first, decimals, out);
    for (const other of others) out.push(", "), written(other, decimals, out);
    out.push(")");
  }
  return out;
}

// The tree with its composed parts computed: `values` has them in order.
function computed(e, values) {
  const parts = e.parts.map((part) => {
    const isTerm = (e.op === "+" || e.op === "-") && (part.op === "·" || part.op === "-");
    if (isTerm) return computed(part, values);
    return part.op === undefined ? { value: part.value, leaf: part.leaf } : { value: values.shift() };
  });
  return { op: e.op, parts, value: e.value };
}

// Whether the arithmetic, with its numbers as they are written, has exactly the value that is meant: all of them are
// exact, or one alone decides, as in 0·x, −∞ / x, −∞ + x.
function isExact(e, decimals) {
  if (e.op === undefined)
    return e.text !== undefined || !Number.isFinite(e.value) || isNearly(Number(shortNumber(e.value, decimals)), e.value);
  const among = e.op === "+" || e.op === "·" ? e.parts : e.op === "/" ? [e.parts[0]] : [];
  const decides = (part) => part.value === e.value && ((part.value === 0 && e.op !== "+") || Math.abs(part.value) === Infinity) &&
    isExact(part, decimals);
  return among.some(decides) || e.parts.every((part) => isExact(part, decimals));
}
