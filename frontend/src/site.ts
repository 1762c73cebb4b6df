// Everything here makes a page that already works more comfortable: no page needs it.
import htmx from "htmx.org";

import { guardCompositions } from "./composition.ts";
import { keepDrafts, restoreDrafts } from "./drafts.ts";
import { defineMatrixInput } from "./matrix_input.ts";
import { foldContents, followReading, relaxScrollRegions } from "./scroll.ts";
import { announceText, guideSwaps } from "./swaps.ts";
import { showCards } from "./symbols.ts";

// The policy of our pages allows neither eval nor inline styles; an answer that refuses what was
// typed holds a page part to show, any other failure leaves the page as it is.
Object.assign(htmx.config, {
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  attributesToSettle: ["class"],
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  responseHandling: [
    { code: "204", swap: false },
    { code: "[23]..", swap: true },
    { code: "409", swap: true },
    { code: "422", swap: true },
    { code: "429", swap: true },
    { code: "[45]..", swap: false, error: true },
  ],
});

// Most lessons ask for no program: what code boxes need is fetched where there is one, and again where that failed.
async function enhanceCode(root: ParentNode): Promise<void> {
  const within = root instanceof Element ? (root.closest(".item") ?? root) : root;
  const box = within.querySelector<HTMLTextAreaElement>("textarea.code");
  if (!box) return;
  try {
    const code = (await import(box.dataset["script"] ?? "")) as typeof import("./code.ts");
    code.enhanceCode(root);
  } catch {
    window.addEventListener("online", () => void enhanceCode(root), { once: true });
  }
}

function enhance(root: ParentNode): void {
  restoreDrafts(root);
  void enhanceCode(root);
  relaxScrollRegions(root);
}

guardCompositions(document);
keepDrafts(document);
guideSwaps(document, enhance);
document.addEventListener("DOMContentLoaded", () => {
  defineMatrixInput();
  foldContents(document);
  followReading(document);
  showCards(document);
  enhance(document);
});
// Once the page is there: what is for days without a connection takes nothing from it.
window.addEventListener("load", () => void standIn());
window.addEventListener("offline", () => announceText(document, document.body.dataset["offline"] ?? ""));
window.addEventListener("online", () => announceText(document, "", false));

async function standIn(): Promise<void> {
  const { worker } = document.body.dataset;
  // Browsers have none on addresses without TLS, and some forbid it in private windows.
  if (worker) await navigator.serviceWorker?.register(worker, { scope: "/" }).catch(() => undefined);
}
