// A code box. It is a plain text box in which Tab indents, until the editor has come to take its place; who prefers the plain
// box keeps it, with Tab as everywhere. Ctrl or Cmd with Enter runs, and with Shift as well submits.
import { isComposing } from "./composition.ts";
import type { Editor, Fault } from "./editor.ts";

const INDENT = "    ";
const TRACEBACK_LINE = /File "[^"]*", line (\d+)/g;
// The editor is fetched before the box scrolls into sight.
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLTextAreaElement)) continue;
      near.unobserve(target);
      void mount(target);
    }
  },
  { rootMargin: "800px" },
);
const editors = new WeakMap<HTMLTextAreaElement, Editor>();

export function enhanceCode(root: ParentNode): void {
  for (const box of root.querySelectorAll<HTMLTextAreaElement>("textarea.code")) {
    if (!box.dataset["ready"]) prepare(box);
    markFaults(box);
  }
  // A result that was swapped in alone stands beside its form.
  const beside = root instanceof Element ? root.closest(".item")?.querySelector<HTMLTextAreaElement>("textarea.code") : null;
  if (beside) markFaults(beside);
}

function prepare(box: HTMLTextAreaElement): void {
  box.dataset["ready"] = "yes";
  for (const help of box.form?.querySelectorAll<HTMLElement>("[data-with-script]") ?? []) help.hidden = false;
  let isLeaving = false;
  box.addEventListener("keydown", (event) => {
    if (isComposing(event) || editors.has(box) || isPlain(box)) return;
    if (event.key === "Tab" && !isLeaving && !event.shiftKey) {
      event.preventDefault();
      write(box, INDENT);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      write(box, `\n${indentationAt(box)}`);
    }
    isLeaving = event.key === "Escape" || (isLeaving && event.key === "Shift");
  });
  box.parentElement?.addEventListener("keydown", (event) => {
    if (isComposing(event) || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    box.form?.querySelector<HTMLElement>(event.shiftKey ? "[data-submit]" : "[data-run]")?.click();
  });
  const file = box.form?.querySelector<HTMLInputElement>("input[type=file]");
  file?.addEventListener("change", () => void layIn(box, file));
  const choice = box.form?.querySelector<HTMLButtonElement>("[data-editor-switch]");
  choice?.addEventListener("click", () => void switchEditor(box, choice));
  if (!isPlain(box)) near.observe(box);
}

function isPlain(box: HTMLTextAreaElement): boolean {
  return "plain" in box.dataset;
}

async function mount(box: HTMLTextAreaElement): Promise<void> {
  const module = await fetchEditor(box);
  if (!module) return;
  if (isPlain(box) || editors.has(box) || !box.isConnected) return;
  const hadFocus = document.activeElement === box;
  const label = box.labels[0]?.textContent?.trim() ?? "";
  const descriptions = (box.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.innerText ?? "");
  const editor = new module.Editor(box, { label, help: descriptions.join(" ").trim() });
  editors.set(box, editor);
  markFaults(box);
  if (hadFocus) editor.focus();
}

// Without a connection the box stays plain until there is one.
async function fetchEditor(box: HTMLTextAreaElement): Promise<typeof import("./editor.ts") | null> {
  try {
    return (await import(box.dataset["editor"] ?? "")) as typeof import("./editor.ts");
  } catch {
    window.addEventListener("online", () => void mount(box), { once: true });
    return null;
  }
}

async function switchEditor(box: HTMLTextAreaElement, choice: HTMLButtonElement): Promise<void> {
  const editor = editors.get(box);
  if (editor) {
    box.dataset["plain"] = "";
    editors.delete(box);
    editor.remove();
  } else {
    delete box.dataset["plain"];
    await mount(box);
  }
  choice.textContent = choice.dataset[isPlain(box) ? "codeWords" : "plainWords"] ?? "";
  for (const help of box.form?.querySelectorAll<HTMLElement>("[data-tab-help]") ?? []) help.hidden = isPlain(box);
  box.focus();
  await remember(choice.dataset["editorSwitch"] ?? "", isPlain(box) ? "plain" : "code", box.form);
}

// Kept in the account and in a cookie, as on the page of settings.
async function remember(address: string, editor: string, form: HTMLFormElement | null): Promise<void> {
  const token = form?.querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]")?.value ?? "";
  const body = new URLSearchParams({ editor, csrfmiddlewaretoken: token });
  await fetch(address, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
}

function markFaults(box: HTMLTextAreaElement): void {
  const item = box.closest(".item");
  const found: Fault[] = [];
  for (const trace of item?.querySelectorAll("[data-traceback]") ?? []) {
    const text = trace.textContent.trimEnd();
    const line = [...text.matchAll(TRACEBACK_LINE)].at(-1)?.[1];
    if (line) found.push({ line: Number(line), words: text.split("\n").at(-1) ?? "" });
  }
  for (const error of item?.querySelectorAll<HTMLElement>("[data-error-line]") ?? []) {
    const line = Number(error.dataset["errorLine"]);
    const words = error.querySelector("code")?.textContent ?? "";
    if (!found.some((fault) => fault.line === line)) found.push({ line, words });
  }
  editors.get(box)?.mark(found);
}

// The server reads files too, for browsers without scripts; what cannot be read here is left for it to refuse.
async function layIn(box: HTMLTextAreaElement, input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? [];
  if (!file) return;
  const text = decode(new Uint8Array(await file.arrayBuffer()));
  if (text === null || text.length > 1e6) return;
  input.value = "";
  const lines = text.replace(/\r\n?/g, "\n");
  if (editors.has(box)) {
    box.value = lines;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    box.focus();
    return;
  }
  box.focus();
  box.select();
  write(box, lines);
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
