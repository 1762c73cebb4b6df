// The server makes every wide box reachable by keyboard; one that does not scroll need not be a stop on the way.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
    if (scrolls) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

export function relaxScrollRegions(root: ParentNode): void {
  for (const region of root.querySelectorAll(".scroll")) observer.observe(region);
}

// On a narrow screen the list of contents would stand between the title and the text: it waits folded.
export function foldContents(root: ParentNode): void {
  const list = root.querySelector<HTMLDetailsElement>(".contents-list");
  if (list && !matchMedia("(min-width: 62rem)").matches) list.open = false;
}
