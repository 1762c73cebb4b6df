// The card of a symbol or a term: there while the pointer or the focus is on either of them, gone with Escape. Links are
// reached by keyboard as links; a symbol within a formula is for pointers, since the same symbol is a link in each section.
const PAUSE_MS = 180;
const GAP = 6;
const ANCHORS = ".symbol, .term, [class*='sym-']";

export function showCards(root: Document): void {
  const cards = findCards(root);
  if (cards.size === 0) return;
  let shown: HTMLElement | null = null;
  let leaving = 0;

  const hide = (): void => {
    clearTimeout(leaving);
    shown?.hidePopover();
    shown = null;
  };
  const show = (anchor: Element, card: HTMLElement): void => {
    clearTimeout(leaving);
    if (shown === card) return;
    hide();
    shown = card;
    card.showPopover();
    place(card, anchor);
  };
  const cardAt = (target: EventTarget | null): [Element, HTMLElement] | null => {
    for (let place = (target as Element | null)?.closest?.(ANCHORS); place; place = place.parentElement?.closest(ANCHORS)) {
      const card = cards.get(nameOf(place));
      if (card) return [place, card];
    }
    return null;
  };

  root.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const found = cardAt(event.target);
    if (found) show(...found);
    else if (shown?.contains(event.target as Node)) clearTimeout(leaving);
    else if (shown && !shown.matches(":focus-within")) {
      clearTimeout(leaving);
      leaving = setTimeout(hide, PAUSE_MS);
    }
  });
  // A finger cannot hover: the first tap shows the card, and the card holds the link. What a tap does itself it still does.
  root.addEventListener("click", (event) => {
    if ((event as PointerEvent).pointerType !== "touch") return;
    const found = cardAt(event.target);
    const acts = (event.target as Element).closest("label, button, summary, a:not(.symbol, .term)");
    if (found && !acts) {
      event.preventDefault();
      show(...found);
    } else if (!shown?.contains(event.target as Node)) hide();
  });
  root.addEventListener("focusin", (event) => {
    const found = cardAt(event.target);
    if (found && (event.target as Element).matches(":focus-visible")) show(...found);
    else if (!shown?.contains(event.target as Node)) hide();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}

function findCards(root: Document): Map<string, HTMLElement> {
  const cards = new Map<string, HTMLElement>();
  for (const card of root.querySelectorAll<HTMLElement>(".symbol-card")) {
    cards.set(`#${card.dataset["entry"] ?? ""}`, card);
    for (const name of (card.dataset["symbols"] ?? "").split(" ")) if (name) cards.set(name, card);
  }
  return cards;
}

// A link names its entry, a part of a formula its symbol.
function nameOf(anchor: Element): string {
  if (anchor instanceof HTMLAnchorElement) return anchor.hash;
  return /(?:^| )sym-(\S+)/.exec(anchor.getAttribute("class") ?? "")?.[1] ?? "";
}

function place(card: HTMLElement, anchor: Element): void {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const roomLeft = clientWidth - card.offsetWidth - GAP;
  const below = bottom + GAP;
  const isBelow = below + card.offsetHeight <= clientHeight || top < card.offsetHeight + GAP;
  card.style.left = `${Math.max(GAP, Math.min(left, roomLeft)) + scrollX}px`;
  card.style.top = `${(isBelow ? below : top - GAP - card.offsetHeight) + scrollY}px`;
}
