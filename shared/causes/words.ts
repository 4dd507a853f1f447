import { formatCount, formatDuration, formatShare } from '../model/index.ts';
import type { Delay } from './delay.ts';
import type { Owner } from './owner.ts';
import type { OwnerSum } from './sum-up.ts';

/** So many sums are named, and none below this part of the delay but the largest. */
const NAMED = 3;
const NAMED_SHARE = 0.02;

/** Where a delay went, in one sentence or two: the most of it first. `nameOf` says what a thread is called. */
export function explainInWords(
  { ts, te, utid }: Delay,
  sums: readonly OwnerSum[],
  nameOf: (utid: number) => string,
): string {
  const whole_ns = te - ts;
  const named = sums.slice(0, NAMED).filter(({ sum_ns }, at) => at === 0 || sum_ns >= whole_ns * NAMED_SHARE);
  const said = named.map((sum) => {
    const share = `${formatDuration(sum.sum_ns)} (${formatShare(sum.sum_ns / whole_ns)})`;
    return didWhat(sum, sum.utid === utid ? 'the thread itself' : nameOf(sum.utid), share);
  });
  const rest_ns = whole_ns - named.reduce((total, { sum_ns }) => total + sum_ns, 0);
  const parts = sums.length - named.length;
  if (rest_ns > 0)
    said.push(
      `the rest is ${formatDuration(rest_ns)} in ${formatCount(parts)} part${parts === 1 ? '' : 's'}`,
    );
  return `Of the ${formatDuration(whole_ns)} of ${nameOf(utid)}, ${said.join('; ')}.`;
}

function didWhat({ owner, detail }: OwnerSum, thread: string, time: string): string {
  const what = detail === null ? '' : `: ${detail}`;
  return `${thread} ${DID[owner].replace('TIME', time)}${what}`;
}

const DID: Readonly<Record<Owner, string>> = {
  ran: 'ran for TIME',
  rank: 'was ready and did not run for TIME, since threads of a better rank ran',
  priority: 'was ready and did not run for TIME, since threads of no lower priority ran',
  affinity: 'was ready and did not run for TIME, since it may not use the CPU that was free',
  interrupt: 'was ready and did not run for TIME, since a DPC or an interrupt held the CPU',
  swapped_out: 'was ready and did not run for TIME, since its stack or process was swapped out',
  idle_wake_up: 'was ready for TIME while an idle CPU woke up',
  preemption_delay: 'was ready for TIME until a CPU put another thread aside',
  frozen: 'was frozen with its process for TIME',
  asleep: 'could not run for TIME, since the machine slept',
  disk: 'waited for a disk for TIME',
  hard_fault: 'waited for memory from a disk for TIME',
  file: 'waited for a file operation for TIME',
  timer: 'waited for a timer of its own for TIME',
  device: 'was blocked for TIME until an interrupt ended the wait, with no thread behind',
  not_explained: 'accounts for TIME that nothing recorded explains',
  not_recorded: 'accounts for TIME that is not recorded',
};
