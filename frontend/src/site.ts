// Everything here makes a page that already works more comfortable: no page needs it.
import htmx from "htmx.org";

import { guardCompositions } from "./composition.ts";
import { enhanceCode } from "./code.ts";
import { keepDrafts, restoreDrafts } from "./drafts.ts";
import { defineMatrixInput } from "./matrix_input.ts";
import { foldContents, relaxScrollRegions } from "./scroll.ts";
import { guideSwaps } from "./swaps.ts";
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

function enhance(root: ParentNode): void {
  restoreDrafts(root);
  enhanceCode(root);
  relaxScrollRegions(root);
}

guardCompositions(document);
keepDrafts(document);
guideSwaps(document, enhance);
document.addEventListener("DOMContentLoaded", () => {
  defineMatrixInput();
  foldContents(document);
  showCards(document);
  enhance(document);
});
