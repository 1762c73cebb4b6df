// A code box: Tab indents, Escape and then Tab leaves, Enter keeps the indentation, Ctrl or Cmd with Enter sends.
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
        box.form?.requestSubmit();
      } else if (event.key === "Enter") {
        event.preventDefault();
        write(box, `\n${indentationAt(box)}`);
      }
      leaving = event.key === "Escape" || (leaving && event.key === "Shift");
    });
  }
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
