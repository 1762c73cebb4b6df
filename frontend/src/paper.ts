// The way to the printer on pages that are made for paper; without scripts the browser's own menu leads there.
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

export {};
