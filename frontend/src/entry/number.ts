// One number as learners write it. The grammar is the server's: grader/marking/expression.py says it in words.
import { Refusal, unexpected } from "./refusal.ts";
import { plain } from "./signs.ts";

export interface Typed {
  value: number;
  decimals: number | null;
}

const MOST_CHARACTERS = 100;
const MOST_DEPTH = 20;
const MOST_EXPONENT = 64;
const PLAIN_DECIMAL = /^[ \t]*[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))([eE][+-]?\d+)?[ \t]*$/;
const WITH_COMMA = /^([ \t]*[+-]?[ \t]*\d+),(\d+[ \t]*)$/;
const THOUSANDS = /^[ \t]*[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?[ \t]*$/;
const DECIMAL = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const DIGIT = /\d/y;
const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

export function readNumber(text: string): Typed {
  if ([...text].length > MOST_CHARACTERS) throw new Refusal("too_long");
  return plainDecimal(text) ?? speltOtherwise(plain(text).replace(/^\n+/, "").trimEnd());
}

function speltOtherwise(line: string): Typed {
  if (!line.trim()) throw new Refusal("empty");
  if (THOUSANDS.test(line)) throw new Refusal("comma");
  const pointed = line.replace(WITH_COMMA, "$1.$2");
  return plainDecimal(pointed) ?? { value: new Reader(pointed).whole(), decimals: null };
}

function plainDecimal(line: string): Typed | null {
  const found = PLAIN_DECIMAL.exec(line);
  if (!found) return null;
  const decimals = found[3] ? null : (found[1] ?? found[2] ?? "").length;
  return { value: finite(Number(line)), decimals };
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Refusal("too_large");
  return value;
}

class Reader {
  place = 0;
  depth = 0;
  readonly line: string;

  constructor(line: string) {
    this.line = line;
  }

  whole(): number {
    const value = this.sum();
    if (this.peek()) throw unexpected(this.line, this.place, true);
    return value;
  }

  sum(): number {
    let value = this.product();
    for (let sign = this.take("+-"); sign; sign = this.take("+-")) {
      const term = this.product();
      value = finite(sign === "+" ? value + term : value - term);
    }
    return value;
  }

  product(): number {
    let value = this.signed();
    for (let sign = this.take("*/"); sign; sign = this.take("*/")) {
      if (sign === "*" && this.peek() === "*") throw new Refusal("power");
      const factor = this.signed();
      value = sign === "*" ? finite(value * factor) : quotient(value, factor);
    }
    return value;
  }

  signed(): number {
    let sign = 1;
    for (let taken = this.take("+-"); taken; taken = this.take("+-")) if (taken === "-") sign = -sign;
    return sign * this.power();
  }

  power(): number {
    const base = this.atom();
    return this.take("^") ? power(base, this.nested(() => this.signed())) : base;
  }

  atom(): number {
    const sign = this.peek();
    if (this.takeWord("√")) return root(this.nested(() => this.atom()));
    if (this.takeWord("sqrt")) {
      if (!(this.peek() in CLOSING)) throw new Refusal("sqrt");
      return root(this.group());
    }
    if (this.takeWord("\\frac")) {
      const above = this.part();
      return quotient(above, this.part());
    }
    return sign in CLOSING ? this.group() : this.decimal(DECIMAL);
  }

  part(): number {
    return this.peek() in CLOSING ? this.group() : this.decimal(DIGIT);
  }

  group(): number {
    const closing = CLOSING[this.line[this.place] ?? ""];
    this.place += 1;
    const value = this.nested(() => this.sum());
    const following = this.peek();
    if (following === closing) {
      this.place += 1;
      return value;
    }
    throw !following || ")]}".includes(following) ? new Refusal("bracket") : unexpected(this.line, this.place, true);
  }

  decimal(pattern: RegExp): number {
    if (!this.peek()) throw new Refusal("unfinished");
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.line);
    if (!found) throw unexpected(this.line, this.place, false);
    this.place += found[0].length;
    return finite(Number(found[0]));
  }

  nested(rule: () => number): number {
    this.depth += 1;
    if (this.depth > MOST_DEPTH) throw new Refusal("too_deep");
    const value = rule();
    this.depth -= 1;
    return value;
  }

  peek(): string {
    while (" \t".includes(this.line[this.place] ?? "end")) this.place += 1;
    return this.line[this.place] ?? "";
  }

  take(wanted: string): string {
    const found = this.peek();
    if (!found || !wanted.includes(found)) return "";
    this.place += 1;
    return found;
  }

  takeWord(word: string): boolean {
    const found = this.line.startsWith(word, this.place);
    if (found) this.place += word.length;
    return found;
  }
}

function quotient(above: number, below: number): number {
  if (below === 0) throw new Refusal("zero_division");
  return finite(above / below);
}

function power(base: number, exponent: number): number {
  if (Math.abs(exponent) > MOST_EXPONENT) throw new Refusal("exponent");
  if (base === 0 && exponent < 0) throw new Refusal("zero_division");
  if (base < 0 && !Number.isInteger(exponent)) throw new Refusal("negative_root");
  return finite(base ** exponent);
}

function root(value: number): number {
  if (value < 0) throw new Refusal("negative_root");
  return Math.sqrt(value);
}
