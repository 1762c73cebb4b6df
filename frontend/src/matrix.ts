// Reads a pasted matrix: rows on lines or between brackets or semicolons, cells between commas, tabs or blanks.
// It only takes the text apart; what a cell's text means is the server's to say.
const WRAPPING = /^\s*(?:np\.|numpy\.|torch\.)?(?:array|tensor|matrix)?\s*\(?\s*|\s*(?:,\s*dtype\s*=\s*[\w.]+)?\)?\s*;?\s*$/g;
const CELL_BREAK = /[,\t\s，、；]+/u;

export function readMatrix(text: string): string[][] | null {
  const bare = text.replace(WRAPPING, "").trim();
  const rows = splitRows(bare)
    .map((row) => row.split(CELL_BREAK).filter((cell) => cell !== ""))
    .filter((cells) => cells.length > 0);
  const width = rows[0]?.length ?? 0;
  const isMatrix = rows.length * width > 1 && rows.every((cells) => cells.length === width);
  return isMatrix ? rows : null;
}

function splitRows(text: string): string[] {
  const inner = text.replace(/^[[［【({]+/u, "[").replace(/[\]］】)}]+$/u, "]");
  if (/\]\s*[,，]?\s*\[/u.test(inner)) return inner.slice(1, -1).split(/\]\s*[,，]?\s*\[/u);
  return inner.replace(/^\[|\]$/g, "").split(/[;\n\r]+/);
}
