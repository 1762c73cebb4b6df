// Cells of a matrix: arrow keys move, Enter goes on to the next cell, and a pasted matrix fills the grid.
import { readMatrix } from "./matrix.ts";

type Cell = HTMLInputElement;

export function enhanceGrids(root: Document): void {
  root.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (cell && !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey) moveByKey(cell, event);
  });
  root.addEventListener("paste", (event) => {
    const cell = cellOf(event.target);
    if (cell) paste(cell, event);
  });
}

function cellOf(target: EventTarget | null): Cell | null {
  return target instanceof HTMLInputElement && target.matches(".grid input") ? target : null;
}

function rowsOf(cell: Cell): Cell[][] {
  const table = cell.closest("table");
  const rows = table ? [...table.querySelectorAll("tr")] : [];
  return rows.map((row) => [...row.querySelectorAll("input")]);
}

function moveByKey(cell: Cell, event: KeyboardEvent): void {
  if (event.key === "Enter") {
    const cells = [...(cell.form?.querySelectorAll<Cell>(".grid input") ?? [])];
    const next = cells[cells.indexOf(cell) + 1];
    if (next) go(next, event);
    return;
  }
  const rows = rowsOf(cell);
  const row = rows.findIndex((cells) => cells.includes(cell));
  const column = rows[row]?.indexOf(cell) ?? -1;
  const target = neighbour(rows, row, column, cell, event.key);
  if (target) go(target, event);
}

function neighbour(rows: Cell[][], row: number, column: number, cell: Cell, key: string): Cell | undefined {
  switch (key) {
    case "ArrowUp":
      return rows[row - 1]?.[column];
    case "ArrowDown":
      return rows[row + 1]?.[column];
    case "ArrowLeft":
      return atEdge(cell, 0) ? rows[row]?.[column - 1] : undefined;
    case "ArrowRight":
      return atEdge(cell, cell.value.length) ? rows[row]?.[column + 1] : undefined;
    default:
      return undefined;
  }
}

// The caret may leave the cell at the text's edge, or when all of the text is selected.
function atEdge(cell: Cell, edge: number): boolean {
  const all = cell.selectionStart === 0 && cell.selectionEnd === cell.value.length;
  return all || (cell.selectionStart === edge && cell.selectionEnd === edge);
}

function go(cell: Cell, event: Event): void {
  event.preventDefault();
  cell.focus();
  cell.select();
}

function paste(cell: Cell, event: ClipboardEvent): void {
  const pasted = readMatrix(event.clipboardData?.getData("text/plain") ?? "");
  if (!pasted) return;
  event.preventDefault();
  const rows = rowsOf(cell);
  const fits = pasted.length === rows.length && pasted[0]?.length === rows[0]?.length;
  tell(cell, fits ? "" : shapeMessage(cell, pasted, rows));
  if (!fits) return;
  pasted.forEach((values, row) => values.forEach((value, column) => fill(rows[row]?.[column], value)));
  rows.at(-1)?.at(-1)?.focus();
}

function fill(cell: Cell | undefined, value: string): void {
  if (!cell) return;
  cell.value = value;
  cell.dispatchEvent(new Event("input", { bubbles: true }));
}

function shapeMessage(cell: Cell, pasted: string[][], rows: Cell[][]): string {
  const words = cell.closest<HTMLElement>("[data-shape-message]")?.dataset["shapeMessage"] ?? "";
  return words
    .replace("{pasted}", `${pasted.length}×${pasted[0]?.length}`)
    .replace("{asked}", `${rows.length}×${rows[0]?.length}`);
}

function tell(cell: Cell, words: string): void {
  const place = cell.closest("fieldset")?.querySelector<HTMLElement>(".paste-message");
  if (!place) return;
  place.textContent = words;
  place.hidden = words === "";
}
