/** A name of one character in so many may be mistyped. */
const PER_MISTAKE = 3;

/** The name that was most likely meant by one that there is not; null where none is near. Case and dashes do not matter. */
export function nearestName(given: string, names: readonly string[]): string | null {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');
  const wanted = plain(given);
  if (wanted === '') return null;
  const begun = names.filter((name) => plain(name).startsWith(wanted));
  if (begun.length === 1) return begun[0] ?? null;
  const most = Math.floor(wanted.length / PER_MISTAKE);
  const near = names
    .map((name) => ({ name, mistakes: mistakesBetween(wanted, plain(name)) }))
    .filter(({ mistakes }) => mistakes <= most)
    .sort((a, b) => a.mistakes - b.mistakes);
  return near[0]?.name ?? null;
}

/** A question that leads to the name that was most likely meant, with a blank after it; empty where none is near. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearestName(given, names);
  return near === null ? '' : `did you mean ${near}? `;
}

/**
 * How many characters must be put in, left out, changed, or swapped with the next one to come from one text to the other (Damerau and
 * Levenshtein).
 */
function mistakesBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
