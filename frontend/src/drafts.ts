// Nothing that is typed is lost. Every change goes into the browser's storage at once and to the server a moment later; what
// the server has confirmed leaves the storage. Each change names the version it began from, so two windows or devices cannot
// overwrite each other unseen: the second one is shown both texts, and the learner chooses.
import { isComposing } from "./composition.ts";
import { announceText } from "./swaps.ts";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Pairs = [name: string, text: string][];

interface Draft {
  version: string;
  fields: Pairs | null;
  saved: string; // in words, by the clock of the course
}

// What is not on the server yet: it began from the version `base`, on a page that showed `shown`.
interface Kept {
  base: string;
  shown: string;
  fields: Pairs;
}

interface News extends Draft {
  address: string;
}

const PREFIX = "qkv-draft:";
const QUIET_MS = 700;
const RETRY_MS = 10_000;

const keepers = new Map<HTMLFormElement, Keeper>();
// What was last sent to be marked, by the address of its draft: an answer that comes back to it ends the draft.
const onTheirWay = new Map<string, string>();
const tabs = "BroadcastChannel" in window ? new BroadcastChannel("qkv-drafts") : null;

class Keeper {
  readonly form: HTMLFormElement;
  readonly address: string;
  readonly shown: Pairs;
  readonly shownText: string;
  isOnItsWay = false;
  timer = 0;
  isSaving = false;
  isDirty = false;
  isBlocked = false;
  isLaying = false;
  other: Draft | null = null;

  constructor(form: HTMLFormElement) {
    this.form = form;
    this.address = new URL(form.dataset["draft"] ?? "", location.href).pathname.replace(/^\/[^/]+/, "");
    this.shown = pairsOf(form, shownIn);
    this.shownText = textOf(this.shown);
    this.#begin();
    this.#choice("keep")?.addEventListener("click", () => this.#keepMine());
    this.#choice("take")?.addEventListener("click", () => this.#takeOther());
  }

  get base(): string {
    return this.#versionField?.value ?? "";
  }

  set base(version: string) {
    if (this.#versionField) this.#versionField.value = version;
  }

  get #versionField(): HTMLInputElement | null {
    return this.form.querySelector("input[name=draft]");
  }

  get #token(): string {
    return this.form.querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]")?.value ?? "";
  }

  get fields(): Pairs {
    return pairsOf(this.form, textIn);
  }

  #begin(): void {
    const { draftFields, draftSaved, draftUse } = this.form.dataset;
    const server = draftFields ? (JSON.parse(draftFields) as Pairs) : null;
    const sent = onTheirWay.get(this.address);
    onTheirWay.delete(this.address);
    const kept = readKept(this.address);
    if (draftUse === "replace") {
      if (this.base) this.changed();
      return;
    }
    const isOffered = draftUse === "offer";
    if (server && !isOffered && !same(server, this.shown)) {
      this.lay(server);
      this.say("restored", draftSaved);
    }
    if (kept && textOf(kept.fields) !== sent && !same(kept.fields, this.fields)) {
      if (kept.base === this.base && kept.shown === this.shownText && !isOffered) {
        this.lay(kept.fields);
        this.changed();
      } else this.#offer("kept", { version: this.base, fields: kept.fields, saved: "" });
    } else {
      forget(this.address);
      if (server && isOffered && !same(server, this.shown))
        this.#offer("unsent", { version: this.base, fields: server, saved: draftSaved ?? "" });
    }
  }

  changed(): void {
    if (this.isLaying) return;
    this.isDirty = true;
    keep(this.address, { base: this.base, shown: this.shownText, fields: this.fields });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), QUIET_MS);
  }

  async save(isLeaving = false): Promise<void> {
    clearTimeout(this.timer);
    if (!this.isDirty || this.other || (this.isSaving && !isLeaving)) return;
    const fields = this.fields;
    this.isSaving = true;
    this.isDirty = false;
    try {
      await this.#answer(await this.#send(JSON.stringify(fields), isLeaving), fields);
    } catch {
      this.#put("local");
    }
    this.isSaving = false;
    if (this.isDirty && !this.isBlocked) this.timer = setTimeout(() => void this.save(), QUIET_MS);
  }

  // A form on its way to be marked is no draft any more, unless it comes back.
  sending(): void {
    clearTimeout(this.timer);
    this.isOnItsWay = true;
    onTheirWay.set(this.address, textOf(this.fields));
  }

  // Whoever was signed out has just been told so, and need not be told twice.
  sent(status: number): void {
    this.isOnItsWay = false;
    onTheirWay.delete(this.address);
    if (status === 401) this.isBlocked = true;
    else void this.save();
  }

  #send(fields: string, isLeaving = false): Promise<Response> {
    return fetch(this.form.dataset["draft"] ?? "", {
      method: "POST",
      headers: { "HX-Request": "true" },
      body: new URLSearchParams({ fields, base: this.base, csrfmiddlewaretoken: this.#token }),
      keepalive: isLeaving,
    });
  }

  async #answer(response: Response, fields: Pairs): Promise<void> {
    if (response.ok) await this.#saved((await response.json()) as Draft, fields);
    else if (response.status === 409) this.#offer("conflict", (await response.json()) as Draft);
    else if (response.status === 413) this.#put("tooLong", false);
    else if (response.status === 401) this.#put("signedOut", false);
    else if (response.status === 403) await this.#renew();
    else this.#put("failed");
  }

  async #saved(draft: Draft, fields: Pairs): Promise<void> {
    this.base = draft.version;
    this.isBlocked = false;
    if (this.isOnItsWay) {
      // It was sent while it was being saved: the draft says nothing new, unless the form comes back.
      await this.#send("");
      this.isDirty = this.isOnItsWay;
      return;
    }
    if (!this.form.isConnected) return;
    if (same(fields, this.fields)) forget(this.address);
    else keep(this.address, { base: this.base, shown: this.shownText, fields: this.fields });
    this.say("saved", draft.saved);
    tabs?.postMessage({ ...draft, address: this.address } satisfies News);
  }

  // Whoever has signed in anew has a new token as well.
  async #renew(): Promise<void> {
    const before = this.#token;
    this.#put("signedOut", false);
    const response = await fetch(this.form.dataset["draft"] ?? "", { headers: { "HX-Request": "true" } });
    if (!response.ok) return;
    const { token } = (await response.json()) as { token: string };
    for (const field of document.querySelectorAll<HTMLInputElement>("input[name=csrfmiddlewaretoken]")) field.value = token;
    if (before === token) return;
    this.isBlocked = false;
    this.timer = setTimeout(() => void this.save(), 0);
  }

  #put(words: string, again = true): void {
    if (!this.isBlocked) announceText(document, this.say(words), false);
    else this.say(words);
    this.isDirty = true;
    this.isBlocked = true;
    if (again) this.timer = setTimeout(() => void this.save(), RETRY_MS);
  }

  // Another tab has saved: where nothing was typed here, what stands there stands here as well.
  hear(news: News): void {
    if (this.isDirty || this.isSaving || this.other || news.version === this.base || !news.fields) return;
    this.base = news.version;
    if (same(news.fields, this.fields)) return;
    this.lay(news.fields);
    this.say("elsewhere");
  }

  lay(fields: Pairs): void {
    this.isLaying = true;
    const texts = new Map(fields);
    const ticked = new Set(fields.map((pair) => pair.join("\n")));
    for (const field of fieldsOf(this.form)) {
      if (isTick(field)) field.checked = field.disabled ? field.checked : ticked.has(`${field.name}\n${field.value}`);
      else if (texts.has(field.name)) field.value = texts.get(field.name) ?? "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    this.isLaying = false;
  }

  say(words: string, at = ""): string {
    const place = this.form.querySelector<HTMLElement>("[data-draft-state]");
    if (!place) return "";
    place.textContent = (place.dataset[`${words}Words`] ?? "").replace("{time}", at);
    place.hidden = false;
    return place.textContent;
  }

  #choice(part: string): HTMLElement | null {
    return this.form.querySelector<HTMLElement>(`[data-draft-${part}]`);
  }

  #offer(why: string, other: Draft): void {
    const mine = this.fields;
    const panel = this.#choice("choice");
    // A version that says what this page began from, or what stands here, leaves nothing to choose.
    const isBegun = why === "conflict" && other.fields !== null && same(other.fields, this.shown);
    if (!panel || !other.fields || isBegun || same(mine, other.fields)) {
      this.base = other.version;
      this.isDirty ||= isBegun;
      return;
    }
    this.other = other;
    this.isDirty = true;
    const put = (part: string, text: string): void => {
      const place = this.#choice(part);
      if (place) place.textContent = text;
    };
    const empty = panel.dataset["emptyWords"] ?? "";
    put("reason", panel.dataset[`${why}Words`] ?? "");
    put("mine", written(this.form, mine, other.fields) || empty);
    put("other", written(this.form, other.fields, mine) || empty);
    put("time", other.saved);
    panel.hidden = false;
    const state = this.form.querySelector<HTMLElement>("[data-draft-state]");
    if (state) state.hidden = true;
    announceText(document, panel.dataset[`${why}Words`] ?? "", false);
  }

  #keepMine(): void {
    this.#settle();
    this.changed();
    void this.save();
  }

  #takeOther(): void {
    const fields = this.other?.fields;
    if (fields) this.lay(fields);
    this.#keepMine();
  }

  #settle(): void {
    this.base = this.other?.version ?? this.base;
    this.other = null;
    const panel = this.#choice("choice");
    if (panel) panel.hidden = true;
    fieldsOf(this.form)[0]?.focus();
  }
}

export function keepDrafts(root: Document): void {
  root.addEventListener("input", (event) => keeperOf(event.target)?.changed());
  root.addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.type === "file") return;
    keeperOf(event.target)?.changed();
  });
  root.addEventListener("keydown", (event) => {
    const keeper = keeperOf(event.target);
    if (keeper && !isComposing(event) && event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      keeper.changed();
      void keeper.save();
    }
  });
  // The form's own request is the answer; what a button of it asks for is not.
  root.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target instanceof HTMLFormElement) keeperOf(event.target)?.sending();
  });
  root.addEventListener("htmx:afterRequest", (event) => {
    const { xhr } = (event as CustomEvent<{ xhr: XMLHttpRequest }>).detail;
    keeperOf(event.target)?.sent(xhr.status);
  });
  const leave = (): void => {
    for (const keeper of connected()) void keeper.save(true);
  };
  const comeBack = (): void => {
    for (const keeper of connected()) void keeper.save();
  };
  root.addEventListener("visibilitychange", () => (root.visibilityState === "hidden" ? leave() : comeBack()));
  window.addEventListener("pagehide", leave);
  window.addEventListener("online", comeBack);
  tabs?.addEventListener("message", (event: MessageEvent<News>) => {
    for (const keeper of connected()) if (keeper.address === event.data.address) keeper.hear(event.data);
  });
}

export function restoreDrafts(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-draft]")) {
    if (!keepers.has(form)) keepers.set(form, new Keeper(form));
  }
}

function connected(): Keeper[] {
  for (const form of keepers.keys()) if (!form.isConnected) keepers.delete(form);
  return [...keepers.values()];
}

function keeperOf(target: EventTarget | null): Keeper | undefined {
  const form = target instanceof Element ? target.closest<HTMLFormElement>("form[data-draft]") : null;
  return form ? keepers.get(form) : undefined;
}

function readKept(address: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + address) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

function keep(address: string, kept: Kept): void {
  try {
    localStorage.setItem(PREFIX + address, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage leaves the draft to the server.
  }
}

function forget(address: string): void {
  try {
    localStorage.removeItem(PREFIX + address);
  } catch {
    // Where nothing can be kept, nothing was.
  }
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>("input:not([type=hidden], [type=file]), select, textarea")].filter((field) => field.name);
}

function isTick(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");
}

function textIn(field: Field): string | null {
  return isTick(field) && !field.checked ? null : field.value;
}

function shownIn(field: Field): string | null {
  if (isTick(field)) return field.defaultChecked ? field.value : null;
  if (field instanceof HTMLSelectElement) return [...field.options].find((option) => option.defaultSelected)?.value ?? "";
  return field.defaultValue;
}

function pairsOf(form: HTMLFormElement, read: (field: Field) => string | null): Pairs {
  return fieldsOf(form).flatMap((field): Pairs => {
    const text = read(field);
    return text === null ? [] : [[field.name, text]];
  });
}

// What a form says does not depend on the order of its fields: lines that were put in order stand in that order.
function textOf(fields: Pairs): string {
  return JSON.stringify(fields.map((pair) => JSON.stringify(pair)).sort());
}

function same(one: Pairs, other: Pairs): boolean {
  return textOf(one) === textOf(other);
}

// The fields in which two versions differ, each with its name; a program or a text stands for itself.
function written(form: HTMLFormElement, fields: Pairs, other: Pairs): string {
  const others = new Set(other.map((pair) => pair.join("\n")));
  return fields
    .filter((pair) => !others.has(pair.join("\n")))
    .map(([name, text]) => {
      const field = fieldsOf(form).find((each) => each.name === name && (!isTick(each) || each.value === text));
      if (field instanceof HTMLTextAreaElement) return text;
      const label = field?.getAttribute("aria-label") ?? field?.labels?.[0]?.textContent?.trim() ?? name;
      return field && isTick(field) ? label.replace(/\s+/g, " ") : `${label.replace(/\s+/g, " ")}: ${text}`;
    })
    .join("\n");
}
