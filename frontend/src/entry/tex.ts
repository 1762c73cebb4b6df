// Rows and cells of a LaTeX matrix, or only what is inside.
import { Refusal } from "./refusal.ts";

const ENVIRONMENT =
  /\\begin\{(?<kind>[bpB]?matrix\*?|smallmatrix|array)\}(?:\[\w*\])?(?:\{[lcr|\s]*\})?(?<inside>.*)\\end\{\k<kind>\}/s;
const BEGIN_OR_END = /\\(?:begin|end)(?![A-Za-z])/g;
const ROW_END = /\\\\(?:\[[\w. ]*\])?|\\cr(?![A-Za-z])/;
const RULE = /\\hline(?![A-Za-z])/g;
const AROUND = /[$[\]()\\. \t\n]/g;

export function isTex(body: string): boolean {
  return body.includes("&") || body.includes("\\\\") || body.search(BEGIN_OR_END) >= 0;
}

export function texRows(body: string): string[][] {
  const rows = insideOf(body).replace(RULE, "").split(ROW_END);
  if (!rows.at(-1)?.trim()) rows.pop();
  return rows.map((row) => row.split("&").map((cell) => cell.trim()));
}

function insideOf(body: string): string {
  const marks = body.match(BEGIN_OR_END)?.length ?? 0;
  if (marks === 0) return body.replace(/^[$ \t\n]+|[$ \t\n]+$/g, "");
  const found = marks === 2 ? ENVIRONMENT.exec(body) : null;
  if (!found) throw new Refusal("tex");
  if ((body.slice(0, found.index) + body.slice(found.index + found[0].length)).replace(AROUND, "")) throw new Refusal("outside");
  return found.groups?.["inside"] ?? "";
}
