import { threadName } from './gather.ts';
import type { Matching, SideName } from './match.ts';
import type { Measured } from './measure.ts';

/** Threads of a process that are called alike, on both sides. */
export interface MatchedThreads {
  /** The process, by its number among those that were matched. */
  readonly process: number;
  /** As {@link Change.threads} names them. */
  readonly name: string;
  /** Their ids in each trace of a side; of very many the first. */
  readonly tids: Readonly<Record<SideName, readonly (readonly number[])[]>>;
}

/** Finds the threads of all traces that are the same. */
export function matchThreads(
  sides: Readonly<Record<SideName, readonly Measured[]>>,
  matching: Matching,
): readonly MatchedThreads[] {
  const found = new Map<string, MatchedThreads & { readonly tids: Record<SideName, number[][]> }>();
  for (const side of ['a', 'b'] as const)
    sides[side].forEach((trace, number) => {
      for (const thread of trace.threads) {
        const [process, name] = [matching.of(side, trace, thread.process), threadName(thread)];
        const key = `${process} ${name}`;
        const none = { a: sides.a.map(() => []), b: sides.b.map(() => []) };
        const known = found.get(key) ?? { process, name, tids: none };
        found.set(key, known);
        known.tids[side][number]?.push(...thread.tids);
      }
    });
  return [...found.values()];
}

/** Of so many kinds of threads of a row the ids are told. */
const MOST_KINDS = 4;

/** The ids that the threads of a row have in a trace of a side: of those that have most of the difference. */
export function threadsOfRow(
  threads: readonly MatchedThreads[],
  row: { readonly process: number; readonly threads: readonly { readonly name: string }[] },
  side: SideName,
  trace: number,
): readonly number[] {
  return row.threads
    .slice(0, MOST_KINDS)
    .flatMap(
      ({ name }) =>
        threads.find((each) => each.process === row.process && each.name === name)?.tids[side][trace] ?? [],
    );
}
