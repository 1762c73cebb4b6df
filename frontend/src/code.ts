// A code box: Tab indents, Escape and then Tab leaves, Enter keeps the indentation, Ctrl or Cmd with Enter runs, and with
// Shift as well submits. A chosen file is laid into the box, to be seen before it is sent.
import { isComposing } from "./composition.ts";

const INDENT = "    ";

export function enhanceCode(root: ParentNode): void {
  for (const box of root.querySelectorAll<HTMLTextAreaElement>("textarea.code")) {
    if (box.dataset["ready"]) continue;
    box.dataset["ready"] = "yes";
    for (const help of box.form?.querySelectorAll<HTMLElement>("[data-with-script]") ?? []) help.hidden = false;
    let leaving = false;
    box.addEventListener("keydown", (event) => {
      if (isComposing(event)) return;
      if (event.key === "Tab" && !leaving && !event.shiftKey) {
        event.preventDefault();
        write(box, INDENT);
      } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        box.form?.querySelector<HTMLElement>(event.shiftKey ? "[data-submit]" : "[data-run]")?.click();
      } else if (event.key === "Enter") {
        event.preventDefault();
        write(box, `\n${indentationAt(box)}`);
      }
      leaving = event.key === "Escape" || (leaving && event.key === "Shift");
    });
    const file = box.form?.querySelector<HTMLInputElement>("input[type=file]");
    file?.addEventListener("change", () => void layIn(box, file));
  }
}

// The server reads files too, for browsers without scripts; what cannot be read here is left for it to refuse.
async function layIn(box: HTMLTextAreaElement, input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? [];
  if (!file) return;
  const text = decode(new Uint8Array(await file.arrayBuffer()));
  if (text === null || text.length > 1e6) return;
  input.value = "";
  box.focus();
  box.select();
  write(box, text.replace(/\r\n?/g, "\n"));
}

function decode(bytes: Uint8Array<ArrayBuffer>): string | null {
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "";
  for (const encoding of mark ? [mark] : ["utf-8", "gb18030"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
  }
  return null;
}

function indentationAt(box: HTMLTextAreaElement): string {
  const before = box.value.slice(0, box.selectionStart);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  return line.trimEnd().endsWith(":") ? indent + INDENT : indent;
}

// `insertText` is the one way that the browser's own undo remembers.
function write(box: HTMLTextAreaElement, text: string): void {
  if (!document.execCommand("insertText", false, text)) {
    box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
