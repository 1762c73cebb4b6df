// <attention-lab>: keeps the tables of a lab up to date while its numbers change. The tables come with the page, filled in
// by the server; here every number is only worked out anew. What is sent is judged on the server.
import {
  type Arrays,
  type Matrix,
  type Plan,
  asymmetry,
  fixed,
  inOrder,
  lengthOf,
  longest,
  oneHead,
  prefersItself,
  readNumber,
  shade,
  softmax,
  standing,
  tidy,
} from "./lab_maths.ts";
import { Plane } from "./lab_plane.ts";
import { packed, unpacked, stateInAddress, addressWith } from "./lab_state.ts";
import { type Place, plain, shiftOf, sources, written } from "./lab_sum.ts";
import { readMatrix } from "./matrix.ts";
import { spin } from "./lab_spin.ts";

// The shared cases are tried on what is served, in a browser.
export { asymmetry, fixed, longest, oneHead, plain, prefersItself, readNumber, shade, softmax, sources, standing, written };

const QUIET_MS = 700;
const RANDOM = [-1, -0.5, 0, 0.5, 1];

class AttentionLab extends HTMLElement {
  private plan!: Plan;
  private words!: Record<string, string>;
  private arrays: Arrays = {};
  private opened: Place | null = null;
  private said: string[] = [];
  private quiet = 0;
  private plane: Plane | null = null;
  private readonly cells = new Map<string, HTMLTableCellElement[][]>();
  private readonly ends = new AbortController();

  connectedCallback(): void {
    this.plan = JSON.parse(this.dataset["plan"] ?? "{}") as Plan;
    this.words = JSON.parse(this.dataset["words"] ?? "{}") as Record<string, string>;
    for (const table of this.querySelectorAll<HTMLTableElement>("[data-table]")) this.take(table);
    for (const part of this.querySelectorAll<HTMLElement>(".lab-live")) part.hidden = part.matches(".lab-sum");
    this.plane = Plane.of(this, this.plan, this.words, (place, x) => this.write("X", place, x));
    this.addSlider();
    const state = stateInAddress(this.slug);
    if (state !== null) this.put({ ...this.start, ...unpacked(state, this.plan.given, this.plan.changeable) });
    this.update();
    this.said = this.sentences();
    this.listen();
  }

  disconnectedCallback(): void {
    this.ends.abort();
    clearTimeout(this.quiet);
  }

  private get slug(): string {
    return this.getAttribute("slug") ?? "";
  }

  private get start(): Arrays {
    return Object.fromEntries(this.plan.changeable.map((name) => [name, this.plan.given[name] ?? []]));
  }

  private take(table: HTMLTableElement): void {
    const name = table.dataset["table"] ?? "";
    const drawn = [...(table.tBodies[0]?.rows ?? [])].map((row) => [...row.querySelectorAll("td")]);
    const rows = this.isTurned(table) ? transposed(drawn) : drawn;
    this.cells.set(name, rows);
    if (table.querySelector("input")) return;
    rows.forEach((row, i) =>
      row.forEach((cell, j) => {
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = i + j ? -1 : 0;
        button.textContent = cell.textContent;
        button.setAttribute("aria-pressed", "false");
        cell.replaceChildren(button);
      }),
    );
  }

  // Where tokens are columns the page shows the transpose; places count in the array, which has tokens in rows.
  private isTurned(place: Element | null | undefined): boolean {
    return place?.closest("[data-turned]") != null;
  }

  private listen(): void {
    const options = { signal: this.ends.signal };
    this.addEventListener("input", (event) => this.onInput(event), options);
    this.addEventListener("click", (event) => this.onClick(event), options);
    this.addEventListener("keydown", (event) => this.onKey(event), options);
    this.addEventListener("paste", (event) => this.onPaste(event), options);
    for (const type of ["focusin", "pointerover"]) this.addEventListener(type, ({ target }) => this.link(this.placeOf(target)), options);
    for (const type of ["focusout", "pointerleave"]) this.addEventListener(type, () => this.link(this.opened), options);
    spin(this, options.signal);
    // What was typed before a reload is put back after this element is ready.
    document.addEventListener("DOMContentLoaded", () => this.update(), options);
    document.addEventListener("htmx:afterSettle", () => this.update(), options);
  }

  private placeOf(target: EventTarget | null): Place | null {
    const cell = target instanceof Element ? target.closest("td") : null;
    for (const [name, rows] of this.cells) {
      const row = cell ? rows.findIndex((each) => each.includes(cell)) : -1;
      if (cell && row >= 0) return [name, row, rows[row]?.indexOf(cell) ?? 0];
    }
    return null;
  }

  private inputs(name: string): HTMLInputElement[][] {
    return (this.cells.get(name) ?? []).map((row) => row.flatMap((cell) => [...cell.querySelectorAll<HTMLInputElement>("input[name]")]));
  }

  private write(name: string, row: number, values: number[]): void {
    values.forEach((value, place) => {
      const input = this.inputs(name)[row]?.[place];
      if (input) input.value = String(+value.toFixed(2));
    });
    this.inputs(name)[row]?.[0]?.dispatchEvent(new Event("input", { bubbles: true }));
  }

  private put(arrays: Arrays): void {
    for (const [name, rows] of Object.entries(arrays))
      this.inputs(name).forEach((row, i) => row.forEach((input, j) => (input.value = String(rows[i]?.[j] ?? 0))));
  }

  // A cell that cannot be read here keeps the number it had.
  private read(name: string): Matrix {
    const before = this.arrays[name] ?? this.plan.given[name] ?? [];
    return this.inputs(name).map((row, i) =>
      row.map((input, j) => {
        const value = readNumber(input.value);
        input.classList.toggle("is-unread", value === null);
        return value ?? before[i]?.[j] ?? 0;
      }),
    );
  }

  private update(): void {
    const changed = Object.fromEntries(this.plan.changeable.map((name) => [name, this.read(name)]));
    this.arrays = oneHead({ ...this.plan.given, ...changed }, this.plan);
    for (const [name, rows] of this.cells) if (!changed[name]) this.show(name, rows, this.arrays[name] ?? []);
    const slider = this.querySelector<HTMLInputElement>(".lab-slider");
    if (slider) slider.value = String(this.arrays["factor"]?.[0]?.[0] ?? 1);
    this.showGoals();
    this.showReadouts();
    this.plane?.draw(this.arrays["X"] ?? []);
    this.open(this.opened);
  }

  private show(name: string, rows: HTMLTableCellElement[][], array: Matrix): void {
    const largest = name === "attn_weights" ? 1 : Math.max(...array.flat().map(Math.abs));
    rows.forEach((row, i) =>
      row.forEach((cell, j) => {
        const value = array[i]?.[j] ?? 0;
        const button = cell.firstElementChild;
        cell.className = `shade-${shade(value, largest)}`;
        if (!button) return;
        button.textContent = fixed(value);
        button.setAttribute("aria-label", `${this.nameOf([name, i, j])}: ${fixed(value)}`);
      }),
    );
  }

  private nameOf([name, i, j]: Place): string {
    const { tokens, queries } = this.plan;
    const isPair = ["logits", "scaled", "attn_weights"].includes(name);
    const from = isPair || name === "Q" || name === "context" ? (tokens[queries[i] ?? 0] ?? "") : (tokens[i] ?? "");
    const to = isPair ? (tokens[j] ?? "") : String(j + 1);
    return this.say(isPair ? "sum" : "cell", { name: this.words[name] ?? name, from, to });
  }

  private say(key: string, blanks: Record<string, string> = {}): string {
    return Object.entries(blanks).reduce((words, [name, value]) => words.replace(`{${name}}`, value), this.words[key] ?? "");
  }

  private names(places: number[]): string {
    return places.map((place) => this.plan.tokens[place]).join(this.words["comma"]);
  }

  private sentences(): string[] {
    const { tokens, queries } = this.plan;
    const { X, Q, logits = [], attn_weights: weights = [], factor } = this.arrays;
    const said: string[] = [];
    if (queries.length === tokens.length) {
      const gap = asymmetry(logits);
      said.push(
        gap.size
          ? this.say("asymmetric", { gap: fixed(gap.size), from: tokens[gap.from] ?? "", to: tokens[gap.to] ?? "" })
          : this.say("symmetric"),
      );
      const selfish = prefersItself(logits).flatMap((prefers, place) => (prefers ? [place] : []));
      said.push(selfish.length ? this.say("selfish", { names: this.names(selfish) }) : this.say("selfless"));
    }
    if (X && !Q) {
      const long = longest(X);
      said.push(this.say("longest", { names: this.names(long), length: fixed(lengthOf(X[long[0] ?? 0] ?? [])) }));
    }
    if (factor) {
      said.push(this.say("order", { order: inOrder(weights[0] ?? [], tokens) }));
    }
    return said;
  }

  private showReadouts(): void {
    const sentences = this.sentences();
    const lines = this.querySelectorAll(".lab-readouts li");
    lines.forEach((line, place) => (line.textContent = sentences[place] ?? ""));
  }

  private showGoals(): boolean {
    const { goals, queries, tokens } = this.plan;
    const places = this.querySelectorAll<HTMLElement>(".lab-goal");
    return goals
      .map((goal, place) => {
        const seen = standing(goal, queries, this.arrays);
        const now = places[place]?.querySelector(".lab-goal-now");
        if (!now) return false;
        const numbers =
          goal.kind === "looks_away"
            ? this.say("rivals", { own: tidy(seen.own), to: tokens[seen.rival] ?? "", best: tidy(seen.best) })
            : fixed(seen.value, goal.kind === "one_way" ? 2 : 3);
        now.textContent = `${seen.isReached ? "✓" : "…"} ${numbers} · ${this.words[seen.isReached ? "reached" : "open"]}`;
        now.classList.toggle("is-right", seen.isReached);
        return seen.isReached;
      })
      .every(Boolean);
  }

  private onInput(event: Event): void {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.matches(".lab-slider")) this.put({ factor: [[Number(target.value)]] });
    // The marks of an earlier answer speak of other numbers.
    if (!(target instanceof HTMLSelectElement)) for (const mark of this.querySelectorAll(".lab-goal-mark")) mark.remove();
    this.update();
    clearTimeout(this.quiet);
    this.quiet = window.setTimeout(() => this.settle(), QUIET_MS);
  }

  // Once the hand rests: the address keeps the state, and what has become different is said.
  private settle(): void {
    const state = packed(this.arrays, this.plan.given, this.plan.changeable);
    history.replaceState(history.state, "", addressWith(this.slug, state) + location.hash);
    const sentences = this.sentences();
    const isAll = this.showGoals();
    const news = [...sentences.filter((sentence) => !this.said.includes(sentence)), ...(isAll ? [this.words["all"] ?? ""] : [])];
    this.said = [...sentences, ...(isAll ? [this.words["all"] ?? ""] : [])];
    this.announce(news.join(" "));
  }

  private announce(text: string, isShown = false): void {
    const region = this.querySelector<HTMLElement>("[data-said]");
    if (!region) return;
    region.textContent = text;
    region.classList.toggle("visually-hidden", !isShown);
  }

  private onClick({ target }: Event): void {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    const { preset, copy } = button.dataset;
    if (preset) this.choose(preset);
    else if (copy !== undefined) void this.copy();
    else {
      const place = this.placeOf(button);
      this.open(place && String(place) === String(this.opened) ? null : place, true);
    }
  }

  private choose(preset: string): void {
    const matrices = this.plan.changeable.filter((name) => name.startsWith("W_"));
    const fill = (names: string[], cell: (row: number, place: number, name: string) => number): Arrays =>
      Object.fromEntries(
        names.map((name) => [name, (this.plan.given[name] ?? []).map((row, i) => row.map((_, j) => cell(i, j, name)))]),
      );
    const random = (): number => RANDOM[Math.floor(Math.random() * RANDOM.length)] ?? 0;
    if (preset === "start") this.put(this.start);
    if (preset === "identity") this.put(fill(matrices, (i, j) => Number(i === j)));
    if (preset === "shared") this.put({ W_K: this.arrays["W_Q"] ?? [] });
    if (preset === "random") this.put(fill(matrices.length ? matrices : ["X"], random));
    const input = this.querySelector("input[name]");
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  }

  private async copy(): Promise<void> {
    this.settle();
    const address = `${location.origin}${location.pathname}${location.search}#item-${this.slug}`;
    try {
      await navigator.clipboard.writeText(address);
      this.announce(this.words["copied"] ?? "", true);
    } catch {
      this.announce(address, true);
    }
  }

  private open(place: Place | null, isNew = false): void {
    this.opened = place;
    const panel = this.querySelector<HTMLElement>(".lab-sum");
    if (!panel) return;
    for (const button of this.querySelectorAll("[aria-pressed=true]")) button.setAttribute("aria-pressed", "false");
    panel.hidden = !place;
    this.link(place);
    if (!place) return;
    const [name, i, j] = place;
    const cell = this.cells.get(name)?.[i]?.[j];
    cell?.firstElementChild?.setAttribute("aria-pressed", "true");
    const pieces = written(this.plan, this.arrays, place, this.words["rest"] ?? "");
    const title = document.createElement("p");
    title.className = "lab-sum-name";
    title.textContent = this.nameOf(place);
    const shift = shiftOf(this.plan, this.arrays, place);
    if (shift !== null) title.append(` ${this.say("shifted", { largest: tidy(shift) })}`);
    const sum = document.createElement("p");
    sum.className = "lab-sum-line numbers";
    for (const { text, role, raised } of pieces) {
      const part = document.createElement(raised ? "sup" : "span");
      part.textContent = text;
      if (role) part.className = `lab-part lab-part-${role}`;
      sum.append(part);
    }
    panel.replaceChildren(title, sum);
    cell?.closest(".lab-stage")?.append(panel);
    if (isNew) this.announce(`${this.nameOf(place)}: ${plain(pieces)}`);
  }

  private link(place: Place | null): void {
    for (const cell of this.querySelectorAll(".is-linked, .is-here")) cell.classList.remove("is-linked", "is-here");
    if (!place) return;
    const [name, i, j] = place;
    this.cells.get(name)?.[i]?.[j]?.classList.add("is-here");
    for (const [table, row, column] of sources(this.plan, this.arrays, place))
      this.cells.get(table)?.forEach((cells, at) =>
        cells.forEach((cell, across) => {
          if ((row < 0 || row === at) && (column < 0 || column === across)) cell.classList.add("is-linked");
        }),
      );
  }

  private onKey(event: KeyboardEvent): void {
    const { target, key } = event;
    if (key === "Escape" && this.opened) return this.open(null);
    if (target instanceof HTMLInputElement && key === "Enter" && !event.isComposing) {
      const inputs = [...this.querySelectorAll<HTMLInputElement>("input[name]")];
      const next = inputs[inputs.indexOf(target) + 1];
      if (!next) return;
      event.preventDefault();
      next.select();
      return;
    }
    const place = target instanceof HTMLButtonElement ? this.placeOf(target) : null;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
    if (!place || !step) return;
    if (!(target instanceof HTMLButtonElement)) return;
    const [name, i, j] = place;
    const [down = 0, right = 0] = this.isTurned(target) ? step.toReversed() : step;
    const next = this.cells.get(name)?.[i + down]?.[j + right]?.querySelector("button");
    if (!next) return;
    event.preventDefault();
    target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  private onPaste(event: ClipboardEvent): void {
    const place = this.placeOf(event.target);
    const read = readMatrix(event.clipboardData?.getData("text/plain") ?? "");
    const pasted = read && this.isTurned(event.target as Element) ? transposed(read) : read;
    const inputs = place ? this.inputs(place[0]) : [];
    if (!pasted || pasted.length !== inputs.length || pasted[0]?.length !== inputs[0]?.length) return;
    event.preventDefault();
    inputs.forEach((row, i) => row.forEach((input, j) => (input.value = pasted[i]?.[j] ?? "")));
    event.target?.dispatchEvent(new Event("input", { bubbles: true }));
  }

  private addSlider(): void {
    const input = this.inputs("factor")[0]?.[0];
    if (!input) return;
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: "0.1", max: "20", step: "0.1", className: "lab-slider" });
    slider.setAttribute("aria-label", this.words["slider"] ?? "");
    input.after(slider);
  }
}

function transposed<T>(rows: T[][]): T[][] {
  return (rows[0] ?? []).map((_, place) => rows.flatMap((row) => row.slice(place, place + 1)));
}

customElements.define("attention-lab", AttentionLab);
