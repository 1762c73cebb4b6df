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

// The list of contents says where one is, and keeps that place in sight where it is longer than the window.
export function followReading(root: Document): void {
  const list = root.querySelector<HTMLElement>(".lesson-contents");
  if (!list) return;
  const links = [...list.querySelectorAll<HTMLAnchorElement>("a[href^='#']")];
  let here: HTMLAnchorElement | undefined;
  let isAsked = false;
  const look = (): void => {
    isAsked = false;
    const begun = (link: HTMLAnchorElement): boolean =>
      (root.getElementById(decodeURIComponent(link.hash.slice(1)))?.getBoundingClientRect().top ?? Infinity) < innerHeight / 3;
    const now = links.findLast(begun);
    if (now === here) return;
    here?.removeAttribute("aria-current");
    now?.setAttribute("aria-current", "location");
    here = now;
    const [box, line] = [list.getBoundingClientRect(), (now ?? list).getBoundingClientRect()];
    if (line.top < box.top || line.bottom > box.bottom) list.scrollTop += line.top - box.top - box.height / 3;
  };
  const ask = (): void => {
    if (!isAsked) requestAnimationFrame(look);
    isAsked = true;
  };
  root.addEventListener("scroll", ask, { passive: true });
  ask();
}

// On a narrow screen the list of contents would stand between the title and the text: it waits folded.
export function foldContents(root: ParentNode): void {
  const list = root.querySelector<HTMLDetailsElement>(".contents-list");
  if (list && !matchMedia("(min-width: 62rem)").matches) list.open = false;
}
