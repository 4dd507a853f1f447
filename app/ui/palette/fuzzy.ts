const CONSECUTIVE = 8;
const WORD_START = 6;
const GAP = 1;

/**
 * How well `text` fits what was typed: every typed character must occur in it, in order; those that follow one another,
 * and those that begin words, count more. Null if it does not fit. Blanks and case do not matter.
 */
export function fuzzyScore(typed: string, text: string): number | null {
  const wanted = Array.from(typed.toLowerCase()).filter((character) => character.trim() !== '');
  const lower = text.toLowerCase();
  let score = 0;
  let last = -1;
  for (const character of wanted) {
    const next = lower.indexOf(character, last + 1);
    if (next === -1) return null;
    // A later place that begins a word tells more than the first place.
    const start = last + 1 === next ? next : wordStart(text, character, next);
    if (start === last + 1 && last !== -1) score += CONSECUTIVE;
    else score -= GAP * Math.min(10, start - last - 1);
    if (beginsWord(text, start)) score += WORD_START;
    last = start;
  }
  return score;
}

/** Where `character` begins a word, from `from` on; `from` if nowhere near. */
function wordStart(text: string, character: string, from: number): number {
  const NEAR = 24;
  for (let at = from; at < Math.min(text.length, from + NEAR); at++) {
    if (text[at]?.toLowerCase() === character && beginsWord(text, at)) return at;
  }
  return from;
}

function beginsWord(text: string, at: number): boolean {
  const before = text[at - 1];
  if (before === undefined) return true;
  const here = text[at] ?? '';
  return /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here));
}

/** The items that fit, best first; those that fit equally keep their order. At most `limit`. */
export function fuzzyFind<T>(
  items: readonly T[],
  typed: string,
  textOf: (item: T) => string,
  limit: number,
): readonly T[] {
  return items
    .flatMap((item) => {
      const score = fuzzyScore(typed, textOf(item));
      return score === null ? [] : [{ item, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item);
}
