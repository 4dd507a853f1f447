import { formatCount } from '../../shared/model/index.ts';

/** What to say of processes that ended, and of which it is not known when their exit began. */
export function exitNotes(exits_unknown: number): readonly string[] {
  if (exits_unknown === 0) return [];
  return [
    `Of ${formatCount(exits_unknown)} ended processes it is not known when their exit began: neither that nor the end of a thread of theirs was recorded.`,
  ];
}
