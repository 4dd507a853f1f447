import { formatCount } from '../../shared/model/index.ts';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_freezes: boolean;
  readonly has_switches: boolean;
  readonly has_ready_threads: boolean;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded): string[] {
  if (!recorded.has_freezes) {
    return [
      'The trace holds no freeze and no thaw: no process was frozen or thawed, or that was not recorded. Record the provider Microsoft-Windows-Kernel-Process with the keyword 0x200 (PROCESS_FREEZE).',
    ];
  }
  const notes: string[] = [];
  if (!recorded.has_switches) {
    notes.push(
      'No context switches were recorded, so it is not known what ran while frozen and after a thaw. Record with the kernel flag CSWITCH (in WPR: the CPU profile).',
    );
  }
  if (!recorded.has_ready_threads) {
    notes.push(
      'No ready-thread events were recorded, so it is not known which frozen threads were readied. Record with the kernel flag DISPATCHER (in WPR: keyword ReadyThread).',
    );
  }
  if (recorded.losses > 0) {
    const gaps = recorded.losses === 1 ? 'one gap' : `${formatCount(recorded.losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range: a freeze or a thaw may be missing.`);
  }
  return notes;
}
