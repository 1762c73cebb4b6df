// A number changes by the arrow keys, or by dragging it sideways; typing is left alone.
const STEP = 0.1;
const LARGE_STEP = 1;
const STARTS_AFTER_PX = 4;
const PX_A_STEP = 6;
const KEYS: Record<string, number> = { ArrowUp: STEP, ArrowDown: -STEP, PageUp: LARGE_STEP, PageDown: -LARGE_STEP };

import { readNumber } from "./lab_maths.ts";

export function spin(root: HTMLElement, signal: AbortSignal): void {
  root.addEventListener("keydown", (event) => byKey(event), { signal });
  root.addEventListener("pointerdown", (event) => byPointer(event, signal), { signal });
}

function numberInput(target: EventTarget | null): HTMLInputElement | null {
  return target instanceof HTMLInputElement && target.type === "text" ? target : null;
}

function set(input: HTMLInputElement, value: number): void {
  input.value = String(+value.toFixed(6));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function byKey(event: KeyboardEvent): void {
  const input = numberInput(event.target);
  const step = KEYS[event.key];
  const value = input ? readNumber(input.value) : null;
  if (!input || !step || value === null || event.isComposing) return;
  event.preventDefault();
  set(input, value + (event.shiftKey ? Math.sign(step) * LARGE_STEP : step));
  input.select();
}

function byPointer(event: PointerEvent, signal: AbortSignal): void {
  const input = numberInput(event.target);
  const start = input ? readNumber(input.value) : null;
  // In a box that has the caret, dragging selects text.
  if (!input || start === null || input === document.activeElement || event.button !== 0) return;
  const ends = new AbortController();
  const options = { signal: AbortSignal.any([ends.signal, signal]) };
  let isDragging = false;
  input.addEventListener(
    "pointermove",
    (move) => {
      const way = move.clientX - event.clientX;
      if (!isDragging && Math.abs(way) < STARTS_AFTER_PX) return;
      if (!isDragging) {
        isDragging = true;
        input.setPointerCapture(event.pointerId);
        input.blur();
      }
      move.preventDefault();
      set(input, start + Math.round(way / PX_A_STEP) * (move.shiftKey ? LARGE_STEP : STEP));
    },
    options,
  );
  for (const type of ["pointerup", "pointercancel"] as const) window.addEventListener(type, () => ends.abort(), options);
}
