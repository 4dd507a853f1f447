import { formatCount, formatCpuTime } from '../../shared/model/index.ts';

/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED =
  'No context switches were recorded, so it is not known who ran. Record with the kernel flag CSWITCH (in WPR: the CPU profile).';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_switches: boolean;
  readonly has_ranks: boolean;
  /** CPU time of runs whose thread had another rank at the end of its run before; 0 where ranks are not shown. */
  readonly other_rank_before_ns: number;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes({ has_switches, has_ranks, other_rank_before_ns, losses }: Recorded): string[] {
  if (!has_switches) {
    return [UNRECORDED];
  }
  const notes: string[] = [];
  if (!has_ranks) {
    notes.push(
      'Thread ranks were not recorded: they come with context switches of version 2 or later, not with compact ones.',
    );
  }
  if (other_rank_before_ns > 0) {
    notes.push(
      `The rank of a thread is recorded where its run ends. ${formatCpuTime(other_rank_before_ns)} of CPU time are of runs that may have begun at another rank.`,
    );
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(
      `Events were lost in ${gaps} of this range: what ran there is hatched, or with the wrong thread where it is not known of which CPU they were.`,
    );
  }
  return notes;
}
