// A matrix to fill in: a table of real inputs. Arrow keys move, Enter goes on to the next cell and sends from the last, a
// pasted matrix fills the grid as one step of undo, and copying without a selection takes the matrix along.
import { isComposing } from "./composition.ts";

type Cell = HTMLInputElement;
type Reader = typeof import("./entry/index.ts");

// A text without any of these is one number, whoever reads it.
const SEVERAL = /[\s,;&[\]、，；]/u;
const PLAIN = /^[+-]?\d+(?:\.\d*)?$|^[+-]?\.\d+$/;
const MOST_DIGITS = 6;

let reader: Promise<Reader | null> | null = null;

// A line that appears while a button is being pressed would move the button from under the pointer.
let released = Promise.resolve();
document.addEventListener("pointerdown", () => {
  released = new Promise((resolve) => {
    for (const end of ["pointerup", "pointercancel"])
      document.addEventListener(end, () => setTimeout(resolve), { once: true });
  });
});

class MatrixInput extends HTMLElement {
  #pasted: [before: string[], after: string[]][] = [];
  #undone: [before: string[], after: string[]][] = [];

  connectedCallback(): void {
    this.addEventListener("focusin", () => void this.#reader(), { once: true });
    this.addEventListener("focusout", () => void this.#echo());
    this.addEventListener("input", (event) => {
      if (event.target instanceof HTMLInputElement) markEdited(event.target);
    });
    this.addEventListener("keydown", (event) => {
      if (event.target instanceof HTMLInputElement && !isComposing(event)) this.#key(event.target, event);
    });
    this.addEventListener("paste", (event) => void this.#paste(event));
    this.addEventListener("copy", (event) => this.#copy(event));
    const region = this.querySelector<HTMLElement>(".scroll");
    if (region) cueScrolling(region);
    void this.#echo();
  }

  get #rows(): Cell[][] {
    return [...this.querySelectorAll("tr")].map((row) => [...row.querySelectorAll("input")]);
  }

  get #cells(): Cell[] {
    return this.#rows.flat();
  }

  // Without a connection there is no reader yet: it is asked for again when it is next needed.
  #reader(): Promise<Reader | null> {
    reader ??= (import(this.dataset["reader"] ?? "") as Promise<Reader>).catch(() => (reader = null));
    return reader;
  }

  #key(cell: Cell, event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      if (key === "z" && !event.shiftKey) this.#step(event, this.#pasted, this.#undone, 1, 0);
      else if (key === "y" || key === "z") this.#step(event, this.#undone, this.#pasted, 0, 1);
      return;
    }
    if (event.altKey || event.shiftKey) return;
    const target = event.key === "Enter" ? after(cell) : this.#neighbour(cell, event.key);
    if (!target) return;
    event.preventDefault();
    target.focus();
    target.select();
  }

  #neighbour(cell: Cell, key: string): Cell | undefined {
    const rows = this.#rows;
    const row = rows.findIndex((cells) => cells.includes(cell));
    const column = rows[row]?.indexOf(cell) ?? -1;
    switch (key) {
      case "ArrowUp":
        return rows[row - 1]?.[column];
      case "ArrowDown":
        return rows[row + 1]?.[column];
      case "ArrowLeft":
        return isAtEdge(cell, 0) ? rows[row]?.[column - 1] : undefined;
      case "ArrowRight":
        return isAtEdge(cell, cell.value.length) ? rows[row]?.[column + 1] : undefined;
      case "Home":
        return isAtEdge(cell, 0) ? rows[row]?.[0] : undefined;
      case "End":
        return isAtEdge(cell, cell.value.length) ? rows[row]?.at(-1) : undefined;
      default:
        return undefined;
    }
  }

  async #paste(event: ClipboardEvent): Promise<void> {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const cell = event.target;
    if (!(cell instanceof HTMLInputElement) || !SEVERAL.test(text.trim())) return;
    event.preventDefault();
    const rows = matrixIn(await this.#reader(), text);
    if (rows === "one number") {
      document.execCommand("insertText", false, text.trim());
      return;
    }
    const words = rows === null ? this.dataset["unreadWords"] : this.#shapeWords(rows);
    this.#tell(words ?? "");
    if (words || !rows) return;
    this.#fill(rows.flat());
    cell.select();
  }

  #shapeWords(rows: string[][]): string {
    const [asked, found] = [this.#rows, rows].map((each) => `${each.length}×${each[0]?.length ?? 0}`);
    if (asked === found) return "";
    return (this.dataset["shapeWords"] ?? "").replace("{pasted}", found ?? "").replace("{asked}", asked ?? "");
  }

  #fill(values: string[]): void {
    this.#pasted.push([this.#cells.map((cell) => cell.value), values]);
    this.#undone = [];
    this.#write(values);
  }

  #write(values: string[]): void {
    this.#cells.forEach((cell, place) => {
      cell.value = values[place] ?? "";
      cell.dispatchEvent(new Event("input", { bubbles: true }));
    });
    void this.#echo();
  }

  // The browser forgets its own steps where a script has written; ours come back while nothing was typed in between.
  #step(event: Event, from: [string[], string[]][], to: [string[], string[]][], here: 0 | 1, there: 0 | 1): void {
    const last = from.at(-1);
    if (!last || this.#cells.some((cell, place) => cell.value !== last[here][place])) return;
    event.preventDefault();
    from.pop();
    to.push(last);
    this.#tell("");
    this.#write(last[there]);
  }

  #copy(event: ClipboardEvent): void {
    const cell = event.target;
    if (!(cell instanceof HTMLInputElement) || cell.selectionStart !== cell.selectionEnd) return;
    const rows = this.#rows.map((row) => row.map((each) => each.value.trim()).join("\t"));
    event.clipboardData?.setData("text/plain", rows.join("\n"));
    event.preventDefault();
    this.#tell(this.dataset["copiedWords"] ?? "");
  }

  // What was understood is shown wherever it is not plainly what was typed.
  async #echo(): Promise<void> {
    const place = this.querySelector<HTMLElement>(".grid-echo");
    if (!place) return;
    const texts = this.#cells.map((cell) => cell.value.trim()).filter((text) => text && !PLAIN.test(text));
    if (texts.length === 0 && !place.textContent) return;
    const known = await this.#reader();
    await released;
    if (!known) return;
    let isUnread = false;
    const lines = texts.map((text) => {
      try {
        return `${text} = ${short(known.readNumber(text).value)}`;
      } catch {
        isUnread = true;
        return (this.dataset["notNumberWords"] ?? "").replace("{text}", text);
      }
    });
    place.classList.toggle("has-unread", isUnread);
    place.textContent = lines.length ? `${this.dataset["echoWords"] ?? ""} ${lines.join(" · ")}` : "";
  }

  #tell(words: string): void {
    const place = this.querySelector<HTMLElement>(".paste-message");
    if (!place) return;
    place.textContent = words;
    place.hidden = words === "";
  }
}

function matrixIn(known: Reader | null, text: string): string[][] | "one number" | null {
  if (!known) return "one number";
  const { splitMatrix, readNumber } = known;
  try {
    readNumber(text);
    return "one number";
  } catch {
    try {
      return splitMatrix(text);
    } catch {
      return null;
    }
  }
}

// The next cell of the form, in whichever matrix; after the last there is none, and the browser sends the form.
function after(cell: Cell): Cell | undefined {
  const cells = [...(cell.form?.querySelectorAll<Cell>("matrix-input input") ?? [])];
  return cells[cells.indexOf(cell) + 1];
}

// The caret may leave the cell at the text's edge, or when all of the text is selected.
function isAtEdge(cell: Cell, edge: number): boolean {
  const isAll = cell.selectionStart === 0 && cell.selectionEnd === cell.value.length;
  return isAll || (cell.selectionStart === edge && cell.selectionEnd === edge);
}

// A judgement is of what was sent: it steps back while the cell holds something else.
function markEdited(cell: Cell): void {
  const isEdited = cell.value !== cell.defaultValue;
  cell.closest("td")?.classList.toggle("is-edited", isEdited);
}

function short(value: number): string {
  return String(Number(value.toPrecision(MOST_DIGITS)));
}

// Where columns are hidden, the edge behind which they lie fades.
function cueScrolling(region: HTMLElement): void {
  const cue = (): void => {
    const hidden = region.scrollWidth - region.clientWidth;
    region.classList.toggle("has-more-before", region.scrollLeft > 1);
    region.classList.toggle("has-more-after", hidden - region.scrollLeft > 1);
  };
  region.addEventListener("scroll", cue, { passive: true });
  new ResizeObserver(cue).observe(region);
}

export function defineMatrixInput(): void {
  customElements.define("matrix-input", MatrixInput);
}
