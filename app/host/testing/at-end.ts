const ends: (() => unknown)[] = [];

/** Has something ended after the tests of this file, the last thing first. */
export function atEnd(end: () => unknown): void {
  ends.push(end);
}

/** Ends all of it: what Vitest calls after the tests of each file. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
