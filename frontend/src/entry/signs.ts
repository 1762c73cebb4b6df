// The plain sign for each that keyboards, word processors, spreadsheets and LaTeX put in its place; every sign left keeps
// its place. Compatibility forms are not folded blindly: 10² must not become 102.
const PLAIN = new Map<string, string>();
for (let code = 0xff01; code < 0xff5f; code += 1) PLAIN.set(String.fromCharCode(code), String.fromCharCode(code - 0xfee0));
for (const [signs, sign] of [
  ["−–—―‐‑‒﹣﹘", "-"],
  ["﹢", "+"],
  ["×✕·∙⋅∗", "*"],
  ["÷∕⁄", "/"],
  ["﹙", "("],
  ["﹚", ")"],
  ["【〔〖", "["],
  ["】〕〗", "]"],
  ["﹐", ","],
  ["﹔", ";"],
  ["﹒", "."],
  ["“”„", '"'],
  ["‘’", "'"],
  ["\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "],
  ["\r\v\f\x85\u2028\u2029", "\n"],
] as const) {
  for (const each of signs) PLAIN.set(each, sign);
}
const DROPPED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff]|\r(?=\n)/g;
const IDEOGRAPHIC_POINT = /(?<=\d)[。｡](?=\d)/g;
const COMMAND = /\\\\|\\([A-Za-z]+|[,;:! ])/g;
const COMMANDS: Record<string, string> = { div: "/", sqrt: "sqrt" };
for (const name of ["times", "cdot", "ast"]) COMMANDS[name] = "*";
for (const name of ["frac", "dfrac", "tfrac", "cfrac"]) COMMANDS[name] = "\\frac";
for (const name of ["left", "right", "quad", "qquad", "displaystyle", ..." ,;:!"]) COMMANDS[name] = "";

export function plain(text: string): string {
  const shown = text.replace(DROPPED, "").replace(/[^\n -~]/g, (sign) => PLAIN.get(sign) ?? sign);
  return shown
    .replace(IDEOGRAPHIC_POINT, ".")
    .replace(COMMAND, (found, name?: string) => ((name && COMMANDS[name]) ?? found).padStart(found.length));
}
