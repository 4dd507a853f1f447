import type { Query } from '../../shared/engine/index.ts';
import { didYouMean } from '../../shared/model/index.ts';
import type { Selection } from '../../shared/view/index.ts';
import { UsageError } from './command.ts';
import knownIdsSql from './known-ids.sql';

/**
 * Throws a {@link UsageError} for a chosen thread or process that the trace does not have: it would be as if none was chosen.
 */
export async function refuseUnknown(
  query: Query,
  { thread, pid }: Pick<Selection, 'thread' | 'pid'>,
): Promise<void> {
  if (thread === null && pid === null) return;
  const known = { thread: new Map<number, number>(), process: new Map<number, number>() };
  for (const { kind, id, from_ts } of (await query(knownIdsSql)).rows())
    known[kind === 'thread' ? 'thread' : 'process'].set(Number(id), Number(from_ts));
  const check = (option: string, kind: 'thread' | 'process', id: number): number => {
    const from_ts = known[kind].get(id);
    if (from_ts !== undefined) return from_ts;
    const meant = didYouMean(String(id), [...known[kind].keys()].map(String)).trimEnd();
    throw new UsageError(
      `--${option} ${id}: no ${kind} of this trace has this id${meant === '' ? '' : `: ${meant}`}`,
    );
  };
  if (thread !== null && check('thread', 'thread', thread.tid) > thread.ts)
    throw new UsageError(`--thread ${thread.tid}: the thread with this id begins later than that`);
  if (pid !== null) check('pid', 'process', pid);
}
