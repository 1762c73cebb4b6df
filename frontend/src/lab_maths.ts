// One attention head with every array on the way, in the row convention, as the server computes it: the same cases prove both.
export type Matrix = number[][];
export type Arrays = Record<string, Matrix>;

export interface Goal {
  kind: "above" | "below" | "one_way" | "looks_away" | "looks_most";
  from: number;
  to: number;
  bound: number;
}

export interface Plan {
  tokens: string[];
  queries: number[];
  given: Arrays;
  changeable: string[];
  scaled: boolean;
  causal: boolean;
  goals: Goal[];
}

export type Rules = Pick<Plan, "scaled" | "causal">;

const SAME = 1e-9;
const LEVELS = 9;

export const dot = (a: number[], b: number[]): number => a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
export const column = (A: Matrix, place: number): number[] => A.map((row) => row[place] ?? 0);
const transposed = (A: Matrix): Matrix => (A[0] ?? []).map((_, place) => column(A, place));
const product = (A: Matrix, B: Matrix): Matrix => {
  const columns = transposed(B);
  return A.map((row) => columns.map((each) => dot(row, each)));
};
const times = (A: Matrix, factor: number): Matrix => A.map((row) => row.map((value) => value * factor));

// The largest is taken off first: no exponent is positive, and scores of ±1000 do no harm.
export function softmax(row: number[], seen = row.length): number[] {
  const largest = Math.max(...row.slice(0, seen));
  const powers = row.map((value, place) => (place < seen ? Math.exp(value - largest) : 0));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

export function oneHead(given: Arrays, rules: Rules): Arrays {
  const arrays: Arrays = { ...given };
  const { X } = arrays;
  for (const role of ["Q", "K", "V"]) {
    const W = arrays[`W_${role}`];
    if (X && W) arrays[role] = product(X, W);
  }
  const K = arrays["K"] ?? X;
  if (K) arrays["logits"] = product(arrays["Q"] ?? K, transposed(K));
  let logits = arrays["logits"] ?? [];
  const factor = arrays["factor"]?.[0]?.[0];
  if (factor !== undefined) logits = arrays["scaled"] = times(logits, factor);
  if (rules.scaled && K) logits = arrays["scaled"] = times(logits, 1 / Math.sqrt(K[0]?.length ?? 1));
  arrays["attn_weights"] = logits.map((row, place) => softmax(row, rules.causal ? place + 1 : row.length));
  const V = arrays["V"] ?? X;
  if (V) arrays["context"] = product(arrays["attn_weights"], V);
  return arrays;
}

export interface Gap {
  size: number;
  from: number;
  to: number;
}

// The largest s_ij − s_ji; of equal ones the first.
export function asymmetry(logits: Matrix): Gap {
  let gap: Gap = { size: 0, from: 0, to: 0 };
  logits.forEach((row, from) =>
    row.forEach((score, to) => {
      const size = score - (logits[to]?.[from] ?? 0);
      if (size > gap.size) gap = { size, from, to };
    }),
  );
  return gap.size < SAME ? { ...gap, size: 0 } : gap;
}

export const prefersItself = (logits: Matrix): boolean[] => logits.map((row, place) => (row[place] ?? 0) >= Math.max(...row));

export const lengthOf = (x: number[]): number => Math.hypot(...x);

export function longest(X: Matrix): number[] {
  const lengths = X.map(lengthOf);
  const most = Math.max(...lengths);
  return lengths.flatMap((length, place) => (Math.abs(length - most) <= 1e-12 * most ? [place] : []));
}

// Equal weights stay in the order of the tokens.
export const byWeight = (row: number[]): number[] =>
  row.map((_, place) => place).sort((one, other) => (row[other] ?? 0) - (row[one] ?? 0) || one - other);

// From the largest weight to the smallest, with = between equal ones.
export function inOrder(row: number[], names: string[]): string {
  const order = byWeight(row);
  return order
    .map((place, rank) => {
      const before = order[rank - 1];
      const drop = before === undefined ? "" : (row[before] ?? 0) - (row[place] ?? 0) < SAME ? " = " : " > ";
      return drop + (names[place] ?? "");
    })
    .join("");
}

export interface Standing {
  value: number;
  own: number;
  best: number;
  rival: number;
  isReached: boolean;
}

export function standing(goal: Goal, queries: number[], arrays: Arrays): Standing {
  const row = queries.indexOf(goal.from);
  const scores = arrays["logits"]?.[row] ?? [];
  const weight = arrays["attn_weights"]?.[row]?.[goal.to] ?? NaN;
  const back = arrays["logits"]?.[queries.indexOf(goal.to)]?.[goal.from] ?? NaN;
  const rival = byWeight(scores).find((place) => place !== goal.from) ?? 0;
  const [own, best] = [scores[goal.from] ?? NaN, scores[rival] ?? NaN];
  const value = goal.kind === "one_way" ? (scores[goal.to] ?? NaN) - back : weight;
  const isReached = {
    above: value > goal.bound,
    below: value < goal.bound,
    one_way: value >= goal.bound,
    looks_away: best > own,
    looks_most: false,
  }[goal.kind];
  return { value, own, best, rival, isReached };
}

// Halves away from zero, a real minus sign, no negative zero.
export function fixed(value: number, decimals = 2): string {
  const text = value.toFixed(decimals);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

export const tidy = (value: number): string => fixed(value, 4).replace(/\.?0+$/, "");

export function shade(value: number, largest: number): string {
  const level = largest ? Math.floor((LEVELS * Math.abs(value)) / largest + 0.5) : 0;
  return `${value < 0 ? "n" : "p"}${level}`;
}

// Decimals and fractions from any keyboard; whatever else a learner may write is read on the server.
const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:\s*\/\s*(\d+\.?\d*))?$/;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const SHIFT = 0xfee0;
const MOST_CHARACTERS = 100;

export function readNumber(text: string): number | null {
  if (text.length > MOST_CHARACTERS) return null;
  const narrow = text.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - SHIFT));
  const plain = narrow.replace(/\u2212/g, "-").trim();
  const found = NUMBER.exec(/^[+-]?(?:0|[1-9]\d*),\d{1,2}$/.test(plain) ? plain.replace(",", ".") : plain);
  const value = found ? Number(found[1]) / Number(found[2] ?? 1) : NaN;
  return Number.isFinite(value) ? value : null;
}
