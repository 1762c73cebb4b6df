// Enter that only confirms a word of an input method must never send a form. Browsers disagree about the order of
// `compositionend` and that Enter: some report `isComposing`, others only the key code 229.
const COMPOSING_KEY_CODE = 229;

export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === COMPOSING_KEY_CODE;
}

export function guardCompositions(root: Document): void {
  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter" && isComposing(event)) {
        event.stopImmediatePropagation();
        if (event.target instanceof HTMLInputElement) event.preventDefault();
      }
    },
    { capture: true },
  );
}
