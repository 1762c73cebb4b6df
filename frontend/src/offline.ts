// A service worker with one task: whoever opens a page without a connection is told so, in words of ours. It keeps nothing but
// those two pages, asked for without cookies: on a shared computer there is nothing of anybody in it.
interface Work extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asked extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const KEPT = "offline";
const PAGES = ["/zh-hans/offline/", "/en/offline/"];

self.addEventListener("install", (event) => (event as Work).waitUntil(keepPages()));
self.addEventListener("fetch", (event) => {
  const { request } = event as Asked;
  if (request.method !== "GET" || request.mode !== "navigate") return;
  (event as Asked).respondWith(fetch(request).catch(() => instead(request.url)));
});

async function keepPages(): Promise<void> {
  const cache = await caches.open(KEPT);
  await cache.addAll(PAGES.map((page) => new Request(page, { credentials: "omit", cache: "reload" })));
}

async function instead(address: string): Promise<Response> {
  const isEnglish = new URL(address).pathname.startsWith("/en/");
  return (await caches.match(PAGES[isEnglish ? 1 : 0] ?? "")) ?? Response.error();
}
