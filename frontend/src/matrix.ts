// A pasted text as the rows of a matrix, or null where it is none; what a cell's text means is for its reader to say.
import { splitMatrix } from "./entry/index.ts";

export function readMatrix(text: string): string[][] | null {
  try {
    const rows = splitMatrix(text);
    return rows.flat().length > 1 ? rows : null;
  } catch {
    return null;
  }
}
