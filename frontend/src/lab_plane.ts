// Tokens of two numbers as arrows in a plane. x_i · x_j > |x_i|² says that the tip of x_j lies beyond the line through the tip
// of x_i that is square to it: there, j wins i over. The table of X holds the same numbers, so the drawing is a second way.
import { type Matrix, type Plan, dot, longest } from "./lab_maths.ts";

type Move = (token: number, x: number[]) => void;

const SIDE = 300;
const SNAP = 0.1;
const LEAST_RANGE = 3;
const SVG = "http://www.w3.org/2000/svg";

function shape(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
}

export class Plane {
  private readonly svg = shape("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "lab-plane", "aria-hidden": "true" });
  private range = LEAST_RANGE;
  private dragged = -1;
  private X: Matrix = [];
  private readonly torn: Set<number>;

  private constructor(
    host: HTMLElement,
    private readonly plan: Plan,
    private readonly words: Record<string, string>,
    private readonly move: Move,
  ) {
    this.torn = new Set(plan.goals.filter((goal) => goal.kind === "looks_away").map((goal) => goal.from));
    const figure = document.createElement("figure");
    figure.className = "lab-figure";
    const caption = document.createElement("figcaption");
    caption.textContent = words["plane"] ?? "";
    figure.append(this.svg, caption);
    host.querySelector("[data-table=X]")?.closest(".lab-tables")?.append(figure);
    this.svg.addEventListener("pointerdown", (event) => this.grasp(event as PointerEvent));
    this.svg.addEventListener("pointermove", (event) => this.drag(event as PointerEvent));
    for (const type of ["pointerup", "pointercancel"]) this.svg.addEventListener(type, () => this.release());
  }

  // Only for naive attention, where the tokens themselves are moved, and only where they have two numbers.
  static of(host: HTMLElement, plan: Plan, words: Record<string, string>, move: Move): Plane | null {
    const isFlat = plan.given["X"]?.[0]?.length === 2 && plan.changeable.includes("X");
    const isNaive = !["W_Q", "W_K"].some((name) => name in plan.given);
    return isFlat && isNaive ? new Plane(host, plan, words, move) : null;
  }

  draw(X: Matrix): void {
    this.X = X;
    if (this.dragged < 0) this.range = Math.max(LEAST_RANGE, Math.ceil(Math.max(...X.flat().map(Math.abs))) + 1);
    this.svg.replaceChildren(...this.ground(), ...X.flatMap((x, token) => this.line(x, token)), ...X.flatMap((x, token) => this.arrow(x, token)));
  }

  private at(x: number[]): [number, number] {
    const unit = SIDE / 2 / this.range;
    return [SIDE / 2 + (x[0] ?? 0) * unit, SIDE / 2 - (x[1] ?? 0) * unit];
  }

  private ground(): SVGElement[] {
    const ticks = Array.from({ length: 2 * this.range - 1 }, (_, place) => place - this.range + 1);
    const half = SIDE / 2;
    const lines = ticks.flatMap((tick) => {
      const [x, y] = this.at([tick, tick]);
      const className = tick ? "lab-tick" : "lab-axis";
      return [shape("path", { d: `M${x} 0V${SIDE}M0 ${y}H${SIDE}`, class: className })];
    });
    const first = this.X[longest(this.X)[0] ?? 0] ?? [];
    const radius = (Math.hypot(...first) * half) / this.range;
    return [...lines, shape("circle", { cx: half, cy: half, r: radius, class: "lab-reach" })];
  }

  private line(x: number[], token: number): SVGElement[] {
    const length = Math.hypot(...x);
    if (!(this.torn.has(token) || this.dragged === token) || length === 0) return [];
    const across = [-(x[1] ?? 0) / length, (x[0] ?? 0) / length].map((part) => part * 4 * this.range);
    const end = (sign: number): [number, number] => this.at(x.map((part, place) => part + sign * (across[place] ?? 0)));
    const won = this.X.some((other) => dot(other, x) > dot(x, x));
    return [
      shape("path", { d: `M${end(1)}L${end(-1)}`, class: won ? "lab-border is-crossed" : "lab-border" }),
      this.owner(x, token),
    ];
  }

  // Whose line it is, written where the line leaves the plane, on its far side.
  private owner(x: number[], token: number): SVGElement {
    const length = Math.hypot(...x);
    const [east, north] = [(x[0] ?? 0) / length, (x[1] ?? 0) / length];
    const room = (from: number, along: number): number => (along ? (this.range * Math.sign(along) - from) / along : Infinity);
    const way = Math.min(room(x[0] ?? 0, -north), room(x[1] ?? 0, east));
    const [endX, endY] = this.at([(x[0] ?? 0) - way * north, (x[1] ?? 0) + way * east]);
    const isLevel = Math.abs(north) > Math.abs(east);
    const anchor = (isLevel ? endX < SIDE / 2 : east > 0) ? "start" : "end";
    const inside = (at: number, from: number, to: number): number => Math.min(Math.max(at, from), to);
    const at = { x: inside(endX + (isLevel ? 0 : 6 * Math.sign(east)), 6, SIDE - 6), y: inside(endY - 8 * north, 16, SIDE - 8) };
    return shape("text", { ...at, class: "lab-border-name", "text-anchor": anchor }, (this.words["border"] ?? "").replace("{name}", this.plan.tokens[token] ?? ""));
  }

  private arrow(x: number[], token: number): SVGElement[] {
    const [tipX, tipY] = this.at(x);
    const length = Math.hypot(...x) || 1;
    const [east, north] = x.map((part) => part / length);
    const anchor = Math.abs(east ?? 0) < 0.4 ? "middle" : (east ?? 0) < 0 ? "end" : "start";
    const [nameX, nameY] = [tipX + 12 * (east ?? 0), tipY - 14 * (north ?? 0) + 5];
    const torn = this.torn.has(token) ? " is-torn" : "";
    return [
      shape("path", { d: `M${this.at([0, 0])}L${tipX} ${tipY}`, class: `lab-arrow${torn}` }),
      shape("circle", { cx: tipX, cy: tipY, r: 6, class: `lab-tip${torn}` }),
      shape("text", { x: nameX, y: nameY, class: "lab-tip-name", "text-anchor": anchor }, this.plan.tokens[token] ?? ""),
    ];
  }

  private pointOf(event: PointerEvent): number[] {
    const box = this.svg.getBoundingClientRect();
    const part = (offset: number, size: number): number => ((offset / size) * 2 - 1) * this.range;
    const raw = [part(event.clientX - box.left, box.width), -part(event.clientY - box.top, box.height)];
    return raw.map((value) => Math.round(Math.min(Math.max(value, -this.range), this.range) / SNAP) * SNAP);
  }

  private grasp(event: PointerEvent): void {
    const point = this.pointOf(event);
    const distances = this.X.map((x) => Math.hypot(...x.map((value, place) => value - (point[place] ?? 0))));
    const nearest = distances.indexOf(Math.min(...distances));
    if ((distances[nearest] ?? Infinity) > this.range / 6) return;
    event.preventDefault();
    this.dragged = nearest;
    this.svg.setPointerCapture(event.pointerId);
  }

  private drag(event: PointerEvent): void {
    if (this.dragged >= 0) this.move(this.dragged, this.pointOf(event));
  }

  private release(): void {
    this.dragged = -1;
    this.draw(this.X);
  }
}
