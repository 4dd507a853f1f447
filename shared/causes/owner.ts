import { WHY_LABELS, type Why } from '../why-late/index.ts';

/**
 * What a ns of a delay belongs to:
 * `ran`: a thread ran;
 * `rank` … `preemption_delay`: a thread was ready and did not run, by the reasons of `shared/why-late`;
 * `disk`, `hard_fault`, `file`: a thread was blocked until its own transfer, hard fault or operation on a file was done;
 * `timer`: a thread was blocked until a timer of its own ended the wait;
 * `device`: a thread was blocked until a DPC or an interrupt ended the wait, behind which no thread stands;
 * `frozen`: the process of the thread was frozen;
 * `asleep`: the machine slept;
 * `not_explained`: recorded, and nothing recorded says why;
 * `not_recorded`: the events that would say it are not in the trace.
 */
export type Owner = Why | 'ran' | 'disk' | 'hard_fault' | 'file' | 'timer' | 'device';

/** What owners are called, in tables and sentences. */
export const OWNER_LABELS: Readonly<Record<Owner, string>> = {
  ...WHY_LABELS,
  ran: 'ran',
  disk: 'blocked: disk',
  hard_fault: 'blocked: hard fault',
  file: 'blocked: file operation',
  timer: 'blocked: own timer',
  device: 'blocked: interrupt, no thread behind',
  rank: 'ready: rank',
  priority: 'ready: priority',
  affinity: 'ready: affinity',
  interrupt: 'ready: DPC or interrupt',
  swapped_out: 'ready: stack or process swapped out',
  idle_wake_up: 'ready: idle wake-up',
  preemption_delay: 'ready: preemption delay',
};
