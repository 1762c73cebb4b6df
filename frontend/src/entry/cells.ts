// The cells of one row, told apart at commas, blanks or tabs. A sign belongs to the number before it as MATLAB has it:
// `2 - 1` is one cell and `2 -1` are two.
import { Refusal } from "./refusal.ts";

const MOST_NESTED = 20;
const NEEDS_CARE = /[,*/^(√"'\t]|(?<![eE])\+|-\s/;
const QUOTED = /"[^"]*"|'[^']*'/g;
const BRACKETED = /\([^()]*\)/g;
const SEPARATOR = / ?, ?|(?<![*/^+\-√(])(?<!sqrt) (?=[^*/^)+-]|[+-][^ ])/g;
const COMMA_IN_DIGITS = /(?<=\d),(?=\d)/;

export function splitRow(row: string, number: number): string[] {
  const blank = row.replace(/\s+/g, " ").trim();
  if (!blank) return [];
  return NEEDS_CARE.test(row) ? splitWithCare(blank, number) : blank.split(" ");
}

export function isSpreadsheet(body: string): boolean {
  return body.includes("\t") && !body.replace(QUOTED, "").includes(",");
}

export function splitSpreadsheetRow(row: string): string[] {
  return row.split("\t").map((cell) => unquoted(cell.trim()));
}

function splitWithCare(row: string, number: number): string[] {
  const masked = maskedOf(row);
  const separators = [...masked.matchAll(SEPARATOR)];
  if (separators.some(([found]) => found === " ")) refuseDecimalComma(masked, number);
  const starts = [0, ...separators.map((found) => found.index + found[0].length)];
  const ends = [...separators.map((found) => found.index), row.length];
  return starts.map((start, place) => unquoted(row.slice(start, ends[place])));
}

// Where blanks part the cells, a comma between digits may be a decimal point: two readings, so neither.
function refuseDecimalComma(row: string, number: number): void {
  const comma = row.search(COMMA_IN_DIGITS);
  if (comma >= 0) throw new Refusal("comma", number, row.slice(0, comma).split(" ").length - 1);
}

function maskedOf(row: string): string {
  const hidden = (found: string): string => "x".repeat(found.length);
  let masked = row.replace(QUOTED, hidden);
  for (let level = 0; level < MOST_NESTED && masked.includes("("); level += 1) masked = masked.replace(BRACKETED, hidden);
  return masked;
}

function unquoted(cell: string): string {
  const isQuoted = cell.length > 1 && cell[0] === cell.at(-1) && `"'`.includes(cell[0] ?? "-");
  return isQuoted ? cell.slice(1, -1).trim() : cell;
}
