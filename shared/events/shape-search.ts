import { ID_MEMBERS, idsOf, idValues } from './activities.ts';
import type { Needle } from './needle.ts';
import { countValues, MARK } from './shape.ts';

const MARK_BYTE = MARK.charCodeAt(0);

/** A place where the text may begin before the end of a value, or of the part before the value, and go on behind that. */
interface Crossing {
  /** The value, from 0. */
  readonly value: number;
  /** True where it may begin in the part of the template before the value; false where it may begin in the value. */
  readonly isBefore: boolean;
  /** So many bytes of it come before the end. */
  readonly count: number;
}

/** Finds a text in JSON that is a template with values in its places, without making it. */
export class TemplateSearch {
  /** Whether the template itself has the text: then any JSON that is made of it has. */
  readonly isInTemplate: boolean;
  readonly #needle: Needle;
  /** What stands before, between and behind the values. */
  readonly #parts: readonly Uint8Array[];
  /** In the order of the values. */
  readonly #crossings: readonly Crossing[];

  constructor(template: string, needle: Needle) {
    const encoder = new TextEncoder();
    this.#needle = needle;
    this.#parts = template.split(MARK).map((part) => encoder.encode(part));
    this.isInTemplate = this.#parts.some((part) => needle.indexIn(part, 0, part.length) !== -1);
    this.#crossings = this.isInTemplate ? [] : [...this.#findCrossings()];
  }

  /** Whether the text may be partly inside a value and partly outside. */
  get mayCross(): boolean {
    return this.#crossings.length > 0;
  }

  /** Whether the text is partly inside a value and partly outside. The bytes from `from` to `to` are the values of an event. */
  crosses(bytes: Uint8Array, from: number, to: number): boolean {
    let [value, at] = [0, from];
    for (const crossing of this.#crossings) {
      for (; value < crossing.value; value++) at = Math.min(to, endOfValue(bytes, at, to) + 1);
      const { isBefore, count } = crossing;
      if (isBefore) {
        if (this.#goesOn(value, bytes, at, to, count)) return true;
        continue;
      }
      const end = endOfValue(bytes, at, to);
      const start = end - count;
      if (start < at || this.#needle.countEqual(bytes, start, end, 0) < count) continue;
      if (this.#goesOn(value, bytes, end, to, count)) return true;
    }
    return false;
  }

  /** Whether from `at` in a value on, and behind that, all of the text comes but its first `count` bytes. */
  #goesOn(value: number, bytes: Uint8Array, at: number, to: number, count: number): boolean {
    const { length } = this.#needle;
    for (let number = value; ; number++) {
      const end = endOfValue(bytes, at, to);
      const inValue = this.#needle.countEqual(bytes, at, end, count);
      count += inValue;
      if (count === length) return true;
      const part = this.#parts[number + 1];
      if (inValue < end - at || part === undefined) return false;
      const inPart = this.#needle.countEqual(part, 0, part.length, count);
      count += inPart;
      if (count === length) return true;
      // Behind the last part nothing comes.
      if (inPart < part.length || number + 2 >= this.#parts.length) return false;
      at = Math.min(to, end + 1);
    }
  }

  *#findCrossings(): Generator<Crossing> {
    const { length } = this.#needle;
    for (let value = 0; value + 1 < this.#parts.length; value++) {
      const [before, behind] = [this.#parts[value], this.#parts[value + 1]];
      if (before === undefined || behind === undefined) return;
      const isLast = value + 2 === this.#parts.length;
      for (let count = 1; count < length; count++) {
        const start = before.length - count;
        if (start >= 0 && this.#needle.countEqual(before, start, before.length, 0) === count)
          yield { value, isBefore: true, count };
        const equal = this.#needle.countEqual(behind, 0, behind.length, count);
        if (equal === length - count || (equal === behind.length && !isLast))
          yield { value, isBefore: false, count };
      }
    }
  }
}

/** Finds a text in the ids of activities that a header names. */
export class HeaderSearch {
  /** How many values the header has. */
  readonly valueCount: number;
  readonly #needle: Needle;
  /** The values that are ids of activities; null where a template does not tell. */
  readonly #ids: ReadonlySet<number | null> | null;

  constructor(header: string, needle: Needle) {
    this.#needle = needle;
    this.valueCount = countValues(header);
    const values = idValues(header);
    this.#ids = values && new Set(ID_MEMBERS.map((member) => values[member]));
  }

  /** Whether a value of the header is such an id. */
  hasId(value: number): boolean {
    return this.#ids?.has(value) === true;
  }

  /** True where a header has to be made to look into it. */
  get mustBeMade(): boolean {
    return this.#ids === null;
  }

  /** Whether a header that was made has the text in an id of an activity. */
  isIn(header: string): boolean {
    const ids = idsOf(header);
    return ID_MEMBERS.some((member) => {
      const bytes = new TextEncoder().encode(ids[member] ?? '');
      return this.#needle.indexIn(bytes, 0, bytes.length) !== -1;
    });
  }
}

function endOfValue(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  while (end < to && bytes[end] !== MARK_BYTE) end++;
  return end;
}
