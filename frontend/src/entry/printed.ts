// What programs print around the brackets of a matrix, taken away: a name, a call, NumPy's scalars, tuples, MATLAB's dots.
import { Refusal } from "./refusal.ts";

const NAMED = /^\s*[\p{L}_][\p{L}\p{N}_]*\s*=(?!=)/u;
const CALL =
  /^\s*(?:Parameter containing:\s*)?(?:[\p{L}_][\p{L}\p{N}_]*\.)?(?:array|asarray|matrix|Array|tensor|as_tensor|Tensor)\s*\(/u;
const SCALAR_CALL = /\b(?:(?:np|numpy|torch)\.)?(?:float|int|uint|bfloat)\d+\(([^()]+)\)/g;
const REST = /^(?:\s*,\s*(?:[a-z_]+\s*=\s*(?:\([\d\s,]*\)|[^\s,()[\]]+)|[\p{L}_][\p{L}\p{N}_.]*))*\s*,?\s*\)\s*$/u;
const TUPLE = /\(([^(),;]*[,;][^()]*)\)/g;
const CONTINUED = /\.\.\.[ \t]*\n/g;
const ELIDED = /\.\.\.|…|\\[cdv]?dots/;
const MOST_NESTED_TUPLES = 3;

export function bare(text: string): string {
  const body = joinContinued(withoutName(text));
  if (!body.includes("(")) return body;
  return tuplesAsLists(withoutCall(body.replace(SCALAR_CALL, (found, inside: string) => `${inside.padStart(found.length - 1)} `)));
}

function withoutCall(body: string): string {
  const call = CALL.exec(body)?.[0].length;
  if (!call) return body;
  const end = body.lastIndexOf("]") + 1 || endOfScalar(body, call);
  const rest = body.slice(end);
  if (!REST.test(rest)) throw new Refusal(rest.includes(")") ? "outside" : "bracket");
  return " ".repeat(call) + body.slice(call, end);
}

function endOfScalar(body: string, start: number): number {
  const found = body.slice(start).search(/[,)]/);
  return found < 0 ? body.length : start + found;
}

function tuplesAsLists(body: string): string {
  let lists = body;
  for (let level = 0; level < MOST_NESTED_TUPLES; level += 1) lists = lists.replace(TUPLE, "[$1]");
  return lists;
}

// MATLAB's line continuation joins two lines; any other dots stand for numbers that were left out.
function joinContinued(text: string): string {
  const body = text.split("[").length <= 2 ? text.replace(CONTINUED, (dots) => " ".repeat(dots.length)) : text;
  if (ELIDED.test(body)) throw new Refusal("elided");
  return body;
}

function withoutName(text: string): string {
  const body = text.replace(NAMED, (name) => " ".repeat(name.length));
  const stripped = body.trimEnd();
  return stripped.endsWith(";") ? stripped.slice(0, -1) : body;
}
