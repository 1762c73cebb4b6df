// The state of a lab as text in the page's address: ?lab-asym=W_Q:0,6;0,-6~factor:2
import type { Arrays, Matrix } from "./lab_maths.ts";

export function packed(arrays: Arrays, start: Arrays, names: string[]): string {
  return names
    .filter((name) => JSON.stringify(arrays[name]) !== JSON.stringify(start[name]))
    .map((name) => `${name}:${arrays[name]?.map((row) => row.map((value) => +value.toFixed(6)).join()).join(";")}`)
    .join("~");
}

// What does not fit the lab is left out: an address may come from anywhere.
export function unpacked(text: string, start: Arrays, names: string[]): Arrays {
  const arrays: Arrays = {};
  for (const part of text.split("~")) {
    const [name = "", body = ""] = part.split(":");
    const rows: Matrix = body.split(";").map((row) => row.split(",").map(Number));
    const shape = start[name];
    const fits =
      names.includes(name) &&
      rows.length === shape?.length &&
      rows.every((row) => row.length === shape[0]?.length && row.every((value) => Math.abs(value) <= 1000));
    if (fits) arrays[name] = rows;
  }
  return arrays;
}

export function stateInAddress(slug: string): string | null {
  return new URLSearchParams(location.search).get(slug);
}

export function addressWith(slug: string, state: string): string {
  const others = location.search.slice(1).split("&").filter((part) => part && !part.startsWith(`${slug}=`));
  const query = [...others, ...(state ? [`${slug}=${state}`] : [])].join("&");
  return `${location.pathname}${query ? `?${query}` : ""}`;
}
