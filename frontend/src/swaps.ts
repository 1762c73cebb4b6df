// After a part of the page is replaced: say in words what happened, and put the reader where the answer is.
interface SwapDetail {
  target: HTMLElement;
  elt: HTMLElement;
}

interface ErrorDetail {
  xhr: XMLHttpRequest;
}

// Which of the body's messages fits an answer that was not swapped in; what was typed stays where it is.
const WORDS_FOR_STATUS: Record<number, string> = { 401: "signedOut", 413: "tooLarge" };

export function guideSwaps(root: Document, enhance: (root: ParentNode) => void): void {
  let asked: HTMLElement | null = null;
  let heldFocus = false;
  root.addEventListener("htmx:beforeRequest", (event) => {
    const { elt } = (event as CustomEvent<SwapDetail>).detail;
    asked = elt instanceof HTMLFormElement ? elt : null;
    busy(elt, true);
  });
  root.addEventListener("htmx:afterRequest", (event) => busy((event as CustomEvent<SwapDetail>).detail.elt, false));
  // A part that is looked up again by itself takes the reader's place along only if the reader stands in it.
  root.addEventListener("htmx:beforeSwap", (event) => {
    heldFocus = (event as CustomEvent<SwapDetail>).detail.target.contains(root.activeElement);
  });
  root.addEventListener("htmx:afterSettle", (event) => {
    const { elt } = (event as CustomEvent<SwapDetail>).detail;
    // The small marks elsewhere on the page settle too; only the part that was asked for has something to say.
    if (!("announce" in elt.dataset)) return;
    enhance(elt.parentElement ?? root);
    announce(root, elt);
    if (asked ?? heldFocus) focusAnswer(elt);
    asked = null;
    heldFocus = false;
  });
  root.addEventListener("htmx:sendError", () => announceText(root, root.body.dataset["offline"] ?? ""));
  root.addEventListener("htmx:responseError", (event) => {
    const { xhr } = (event as CustomEvent<ErrorDetail>).detail;
    announceText(root, root.body.dataset[WORDS_FOR_STATUS[xhr.status] ?? "failed"] ?? "");
  });
}

function busy(elt: HTMLElement, isBusy: boolean): void {
  const buttons = elt instanceof HTMLButtonElement ? [elt] : elt instanceof HTMLFormElement ? elt.querySelectorAll("button") : [];
  for (const button of buttons) {
    if (isBusy) button.setAttribute("aria-busy", "true");
    else button.removeAttribute("aria-busy");
  }
}

function announce(root: Document, part: HTMLElement): void {
  const words = part.dataset["announce"];
  if (words) announceText(root, words, false);
}

// One polite live region for the whole page; what failed is also shown.
export function announceText(root: Document, words: string, visible = true): void {
  const region = root.getElementById("announcer");
  if (!region) return;
  if (region.textContent !== words) region.textContent = words;
  region.classList.toggle("visually-hidden", !visible);
}

function focusAnswer(part: HTMLElement): void {
  const place = part.querySelector<HTMLElement>("[data-focus]") ?? part.querySelector<HTMLElement>("[tabindex='-1']");
  place?.focus();
  place?.scrollIntoView({ block: "nearest" });
}
