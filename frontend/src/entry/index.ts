// A whole matrix written as text, split into cells: nested lists, rows on lines, print-outs, spreadsheets, LaTeX. The same
// table of cases proves this reader and the server's, grader/marking/matrix_text.py.
import { isSpreadsheet, splitRow, splitSpreadsheetRow } from "./cells.ts";
import { bare } from "./printed.ts";
import { Refusal } from "./refusal.ts";
import { plain } from "./signs.ts";
import { isTex, texRows } from "./tex.ts";

export { readNumber } from "./number.ts";
export type { Typed } from "./number.ts";

const MOST_TEXT = 16_000;
const MOST_SIDE = 64;
const LONE_PAIR = /^\s*[+-]?\d+,\d+\s*$/;

export function splitMatrix(text: string): string[][] {
  if ([...text].length > MOST_TEXT) throw new Refusal("text_too_long");
  const body = bare(plain(text).replaceAll("、", ", "));
  const rows = isTex(body) ? texRows(body) : rowsOf(body.replaceAll("{", "[").replaceAll("}", "]"));
  if (!rows.flat().some((cell) => cell)) throw new Refusal("empty");
  const width = rows[0]?.length ?? 0;
  const ragged = rows.findIndex((row) => row.length !== width);
  if (ragged >= 0) throw new Refusal("ragged", ragged);
  if (Math.max(rows.length, width) > MOST_SIDE) throw new Refusal("too_many");
  return rows;
}

function rowsOf(body: string): string[][] {
  const brackets = body.replace(/[^[\]]/g, "");
  const parts = body.split(/[[\]]/);
  const count = Math.floor(brackets.length / 2);
  if (!brackets) return linesOf(body);
  if (brackets === "[]") return oneList(parts[0] ?? "", parts[1] ?? "", parts[2] ?? "");
  if (brackets === "[]".repeat(count)) return listOfRows(["", ...parts, ""]);
  if (brackets === `[${"[]".repeat(Math.max(0, count - 1))}]`) return listOfRows(parts);
  throw new Refusal(isBalanced(brackets) ? "levels" : "bracket");
}

// Rows without brackets: typed lines, MATLAB's semicolons, or what a spreadsheet copies.
function linesOf(body: string): string[][] {
  if (LONE_PAIR.test(body)) throw new Refusal("comma");
  return filled(body.split(/[;\n]/)).map(isSpreadsheet(body) ? splitSpreadsheetRow : splitRow);
}

// One pair of brackets: `[1 2; 3 4]`, or a list whose commas may carry it on to the next line.
function oneList(before: string, inside: string, after: string): string[][] {
  refuseOutside([before, after]);
  return filled(inside.replace(/,[ \t]*\n/g, ", ").split(/[;\n]/)).map(splitListRow);
}

// A pair of brackets for each row: rows, and what stands beside them, in turn.
function listOfRows(parts: string[]): string[][] {
  refuseOutside([...parts.slice(0, 2), parts.at(-1) ?? ""]);
  parts.slice(3, -1).forEach((between, place) => {
    if (place % 2 === 0 && !["", ",", ";"].includes(between.trim())) throw new Refusal("outside", place / 2);
  });
  return parts
    .slice(2, -1)
    .filter((_, place) => place % 2 === 0)
    .map(splitListRow);
}

function splitListRow(row: string, number: number): string[] {
  return splitRow(row.trimEnd().replace(/,$/, ""), number);
}

function filled(rows: string[]): string[] {
  return rows.filter((row) => row.trim());
}

function refuseOutside(texts: string[]): void {
  if (texts.some((text) => text.trim())) throw new Refusal("outside");
}

function isBalanced(brackets: string): boolean {
  let open = 0;
  for (const bracket of brackets) {
    open += bracket === "[" ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}
