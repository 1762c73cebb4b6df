// Any computed number written out: the sum it is, with the numbers in it, and the cells that it comes from.
import { type Arrays, type Plan, column, tidy } from "./lab_maths.ts";

export interface Piece {
  text: string;
  role?: string;
  raised?: boolean;
}

// A row (column −1), a column (row −1) or one cell of a table.
export type Place = [table: string, row: number, column: number];

const MOST_TERMS = 8;

export function sources(plan: Plan, arrays: Arrays, [table, i, j]: Place): Place[] {
  const first = arrays["Q"] ? "Q" : "X";
  const last = (role: string): string => (arrays[role] ? role : "X");
  switch (table) {
    case "Q":
    case "K":
    case "V":
      return arrays[`W_${table}`]
        ? [
            ["X", i, -1],
            [`W_${table}`, -1, j],
          ]
        : [];
    case "logits":
      return plan.given["logits"]
        ? []
        : [
            [first, i, -1],
            [last("K"), j, -1],
          ];
    case "scaled":
      return [
        ["logits", i, j],
        ["factor", 0, 0],
      ];
    case "attn_weights":
      return [[arrays["scaled"] ? "scaled" : "logits", i, -1]];
    case "context":
      return [
        ["attn_weights", i, -1],
        [last("V"), -1, j],
      ];
    default:
      return [];
  }
}

export function written(plan: Plan, arrays: Arrays, place: Place, rest: string): Piece[] {
  const [table, i, j] = place;
  const result: Piece = { text: ` = ${tidy(arrays[table]?.[i]?.[j] ?? NaN)}` };
  if (table === "scaled") return [...scaledUp(plan, arrays, i, j), result];
  if (table === "attn_weights") return share(plan, arrays, i, j);
  const [left, right] = sources(plan, arrays, place);
  return left && right ? [...sum(arrays, left, right, rest), result] : [{ text: tidy(arrays[table]?.[i]?.[j] ?? NaN) }];
}

function line(arrays: Arrays, [table, row, place]: Place): number[] {
  const array = arrays[table] ?? [];
  return row >= 0 ? (array[row] ?? []) : column(array, place);
}

const roleOf = (table: string): string => (/[QKV]$/.exec(table)?.[0] ?? "").toLowerCase();
const bracketed = (value: number): string => (value < 0 ? `(${tidy(value)})` : tidy(value));

// Of a long sum the terms that weigh most are written out, in their order.
function sum(arrays: Arrays, left: Place, right: Place, rest: string): Piece[] {
  const [a, b] = [line(arrays, left), line(arrays, right)];
  const term = (place: number): number => (a[place] ?? 0) * (b[place] ?? 0);
  const places = a.map((_, place) => place);
  const heaviest = [...places].sort((one, other) => Math.abs(term(other)) - Math.abs(term(one)) || one - other);
  const kept = new Set(heaviest.slice(0, MOST_TERMS));
  const pieces = places
    .filter((place) => kept.has(place))
    .flatMap((place, count): Piece[] => [
      { text: count ? " + " : "" },
      { text: bracketed(a[place] ?? 0), role: roleOf(left[0]) },
      { text: " × " },
      { text: bracketed(b[place] ?? 0), role: roleOf(right[0]) },
    ]);
  if (kept.size === places.length) return pieces;
  const value = places.filter((place) => !kept.has(place)).reduce((total, place) => total + term(place), 0);
  const words = rest.replace("{count}", String(places.length - kept.size)).replace("{value}", tidy(value));
  return [...pieces, { text: ` + (${words})` }];
}

function scaledUp(plan: Plan, arrays: Arrays, i: number, j: number): Piece[] {
  const score = arrays["logits"]?.[i]?.[j] ?? NaN;
  const factor = arrays["factor"]?.[0]?.[0];
  const pieces: Piece[] = [{ text: factor === undefined ? tidy(score) : `${tidy(factor)} × ${bracketed(score)}` }];
  const width = (arrays["K"] ?? arrays["X"])?.[0]?.length;
  return plan.scaled && width ? [...pieces, { text: ` ÷ √${width}` }] : pieces;
}

// The scores that a token weighs against each other.
function seenBy(plan: Plan, arrays: Arrays, i: number): number[] {
  const row = (arrays["scaled"] ?? arrays["logits"])?.[i] ?? [];
  return plan.causal ? row.slice(0, i + 1) : row;
}

// What is taken off every score before it becomes a power, so that none exceeds 1; nothing for other tables.
export function shiftOf(plan: Plan, arrays: Arrays, [table, i, j]: Place): number | null {
  const row = seenBy(plan, arrays, i);
  return table === "attn_weights" && j < row.length ? Math.max(...row) : null;
}

function share(plan: Plan, arrays: Arrays, i: number, j: number): Piece[] {
  const largest = shiftOf(plan, arrays, ["attn_weights", i, j]);
  if (largest === null) return [{ text: "0" }];
  const row = seenBy(plan, arrays, i);
  const powers = row.map((score) => Math.exp(score - largest));
  const raised = (score: number): Piece[] => [{ text: "e" }, { text: tidy(score - largest), raised: true }];
  const total = powers.reduce((all, power) => all + power, 0);
  return [
    ...raised(row[j] ?? NaN),
    { text: " ÷ (" },
    ...row.flatMap((score, place): Piece[] => [{ text: place ? " + " : "" }, ...raised(score)]),
    { text: `) = ${tidy(powers[j] ?? NaN)} ÷ ${tidy(total)} = ${tidy(arrays["attn_weights"]?.[i]?.[j] ?? NaN)}` },
  ];
}

export const plain = (pieces: Piece[]): string => pieces.map(({ text, raised }) => (raised ? `^(${text})` : text)).join("");
