import type { Things } from '../../../shared/compare/things.ts';

/** The image of the process of a thread class. */
export function processName({ processes, threads }: Things, thread: number): string {
  return processes[threads[thread]?.process ?? -1]?.image ?? 'unknown process';
}

/** What a thread class is called in any recording; null where nothing is known. */
export function threadName({ threads }: Things, thread: number): string | null {
  return threads[thread]?.name ?? null;
}
