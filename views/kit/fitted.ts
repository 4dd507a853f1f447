import { withoutDirection } from '../../shared/model/index.ts';

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

const widthsOf = (characters: readonly string[]) =>
  characters.map((character): number => (WIDE.test(character) ? 2 : 1));

/** The room that a text takes, in characters: wide ones take two, marks of direction none. */
export function widthOf(text: string): number {
  return widthsOf(Array.from(withoutDirection(text))).reduce((sum, width) => sum + width, 0);
}

/**
 * A text in the room of so many characters; wide ones take two. The last `end` characters of the text stay whole. Marks that turn the
 * direction of the following text are left out.
 */
export function fitted(text: string, room: number, end = 0): string {
  const characters = Array.from(withoutDirection(text));
  if (characters.length <= room / 2) return characters.join('');
  const widths = widthsOf(characters);
  const widthFrom = (first: number) => widths.slice(first).reduce((sum, width) => sum + width, 0);
  if (widthFrom(0) <= room) return characters.join('');
  const tail = end === 0 ? [] : characters.slice(-end);
  const left = room - 1 - widthFrom(characters.length - tail.length);
  let count = 0;
  for (let width = widths[0] ?? 0; width <= left; width += widths[count] ?? 0) count++;
  return `${characters.slice(0, count).join('')}…${tail.join('')}`;
}

/** A text in lines of at most so many characters, broken between words; a longer word has a line of its own. */
export function brokenLines(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
