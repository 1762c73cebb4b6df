// The desk of quick checks: keys, drafts and a running sum. Without it every card is an ordinary form.
const PAUSE_MS = 1000;
const KEYS = "qkv-desk-keys";

const desk = document.querySelector<HTMLElement>(".desk-cards");
if (desk) {
  const cards = [...desk.querySelectorAll<HTMLElement>(".desk-card")];
  for (const card of cards) {
    const form = card.querySelector("form");
    if (!form) continue;
    sum(form);
    keepDraft(desk, card, form);
  }
  offerKeys(desk, cards);
  goOn(cards);
}

function sum(form: HTMLFormElement): void {
  const output = form.querySelector<HTMLOutputElement>(".points-sum");
  const show = (): void => {
    if (output) output.value = `${form.querySelectorAll("[name=met]:checked").length} / ${output.dataset.criteria}`;
  };
  form.addEventListener("change", show);
  show();
}

// The latest state is what counts: a save that waits is put off by the next letter.
function keepDraft(desk: HTMLElement, card: HTMLElement, form: HTMLFormElement): void {
  const note = card.querySelector<HTMLElement>(".desk-saved");
  let timer = 0;
  let isSent = false;
  const save = async (): Promise<void> => {
    window.clearTimeout(timer);
    timer = 0;
    try {
      const answer = await fetch(desk.dataset.draft ?? "", { method: "POST", body: new FormData(form), keepalive: true });
      if (note) note.textContent = (answer.status === 204 ? desk.dataset.saved : desk.dataset.unsaved) ?? "";
    } catch {
      if (note) note.textContent = desk.dataset.unsaved ?? "";
    }
  };
  form.addEventListener("input", () => {
    if (note) note.textContent = "";
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void save(), PAUSE_MS);
  });
  form.addEventListener("submit", () => {
    isSent = true;
    window.clearTimeout(timer);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden" && timer && !isSent) void save();
  });
}

function offerKeys(desk: HTMLElement, cards: HTMLElement[]): void {
  const help = document.querySelector<HTMLDetailsElement>("#desk-keys");
  const choice = document.querySelector<HTMLInputElement>("#desk-keys-on");
  if (!help || !choice) return;
  help.hidden = false;
  choice.checked = localStorage.getItem(KEYS) !== "off";
  desk.classList.toggle("has-keys", choice.checked);
  choice.addEventListener("change", () => {
    localStorage.setItem(KEYS, choice.checked ? "on" : "off");
    desk.classList.toggle("has-keys", choice.checked);
  });
  document.addEventListener("keydown", (event) => {
    if (!choice.checked || isTyped(event)) return;
    if (press(event.key.toLowerCase(), cards, event.target)) event.preventDefault();
  });
}

// A key that belongs to what has the focus, or to the browser, is none of ours.
function isTyped(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox])")) return true;
  return event.key === "Enter" && !target.matches(".desk-card, [name=met]");
}

function press(key: string, cards: HTMLElement[], target: EventTarget | null): boolean {
  const here = cards.findIndex((card) => target instanceof Node && card.contains(target));
  const card = cards[here];
  if (key === "j") return focus(cards[here + 1]);
  if (key === "k") return focus(cards[here < 0 ? cards.length - 1 : here - 1]);
  if (key === "u") return click(document.querySelector(".desk-undo button"));
  if (key === "enter") return click(card?.querySelector("button[value=mark]"));
  return /^[1-9]$/.test(key) && click(card?.querySelectorAll<HTMLElement>("[name=met]")[Number(key) - 1]);
}

function focus(card: HTMLElement | undefined): boolean {
  if (!card) return false;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "start" });
  return true;
}

function click(element: HTMLElement | null | undefined): boolean {
  element?.click();
  return Boolean(element);
}

// After a mark the page opens at the next card.
function goOn(cards: HTMLElement[]): void {
  const wanted = cards.find((card) => `#${card.id}` === location.hash);
  if (wanted) focus(wanted);
}

// A part that changes by itself is fetched again; the server says 304 while it has not.
const SLOWEST_MS = 30_000;
for (const part of document.querySelectorAll<HTMLElement>("[data-refresh][id]")) keepFresh(part.id, Number(part.dataset.refresh));

function keepFresh(id: string, pause: number, etag = "", wait = pause): void {
  window.setTimeout(async () => {
    let next = wait;
    if (document.visibilityState === "visible") {
      try {
        const answer = await fetch(location.href, { cache: "no-store", headers: etag ? { "If-None-Match": etag } : {} });
        next = answer.ok || answer.status === 304 ? pause : Math.min(wait * 2, SLOWEST_MS);
        if (answer.ok && !replace(id, await answer.text())) return;
        etag = answer.headers.get("ETag") ?? etag;
      } catch {
        next = Math.min(wait * 2, SLOWEST_MS);
      }
    }
    keepFresh(id, pause, etag, next);
  }, wait);
}

// Whether the part goes on changing.
function replace(id: string, html: string): boolean {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(id);
  const stale = document.getElementById(id);
  if (!fresh || !stale) return false;
  const goesOn = "refresh" in fresh.dataset;
  // Nothing is taken from under somebody's hand, except at the end.
  if (fresh.innerHTML !== stale.innerHTML && (!goesOn || !stale.contains(document.activeElement))) {
    stale.replaceWith(document.adoptNode(fresh));
  }
  return goesOn;
}
