// Why a text is no number or no matrix: the name of the server's phrase, and the place, counted from 0.
export class Refusal extends Error {
  override name: string;
  row: number;
  column: number;

  constructor(name: string, row = 0, column = 0) {
    super(name);
    this.name = name;
    this.row = row;
    this.column = column;
  }
}

const WORD = /\\?[\p{L}_]+|\\.|./suy;
const BEGINS_NUMBER = /\.?\d|[([{√]|sqrt|\\frac/y;
const REMEDIES: [RegExp, string][] = [
  [/[)\]}]/y, "bracket"],
  [/(?:nan|inf(?:inity)?|\\infty)(?![A-Za-z])|∞/iy, "not_a_number"],
  [/[²³¹⁰⁴-⁹₀-₉①-⓿❶-➓]/y, "superscript"],
  [/[¼-¾⅐-⅟↉]/y, "fraction_sign"],
  [/[%‰]/y, "percent"],
  [/[,;、&\n]|\\\\/y, "one_number"],
];

export function unexpected(line: string, place: number, afterNumber: boolean): Refusal {
  const remedy = REMEDIES.find(([pattern]) => isAt(pattern, line, place));
  if (remedy) return new Refusal(remedy[1]);
  return new Refusal(isAt(WORD, line, place) && afterNumber && isAt(BEGINS_NUMBER, line, place) ? "second" : "unknown");
}

function isAt(pattern: RegExp, line: string, place: number): boolean {
  pattern.lastIndex = place;
  return pattern.test(line);
}
