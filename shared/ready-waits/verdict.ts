import { formatDuration, formatShare } from '../model/index.ts';
import { isDelay, mainOf, sharesOf, WHY_LABELS, type MainWhy, type WhyShare } from '../why-late/index.ts';
import type { ReadyWait } from './ready-wait.ts';
import type { CpuTimes, Swept } from './sweep.ts';

/** Why a thread was ready and did not run. */
export interface Verdict {
  /** The reason of the largest share. */
  readonly main: MainWhy;
  /** What the wait divides into, largest first; they sum to its length. */
  readonly shares: readonly WhyShare[];
  /** CPU time during the wait by what it went to. */
  readonly cpu_ns: CpuTimes;
  /** The CPUs that the thread may use, at the end of the wait; null for all, or where that is not recorded. */
  readonly usable_cpus: readonly number[] | null;
  /** The shares are estimated from one in this many parts of the wait. */
  readonly one_in: number;
  readonly sentence: string;
}

/** What decides a verdict besides what ran. */
export interface VerdictFacts {
  readonly swapped_out: boolean;
  readonly took_idle_cpu: boolean;
  /** C-state of the idle spell that the switch-in ended; null if there was none, or it was not recorded. */
  readonly c_state: number | null;
  readonly usable_cpus: readonly number[] | null;
  /** What the trace does not hold of what could explain a wait, in words. */
  readonly unrecorded: readonly string[];
  readonly one_in: number;
}

/** Shares below this part of the wait go unmentioned in the sentence. */
const MENTIONED_SHARE = 0.005;

/** The verdict on a wait that {@link Swept | was divided} by what the CPUs did. */
export function judge(wait: ReadyWait, cpuCount: number, swept: Swept, facts: VerdictFacts): Verdict {
  const final_ns = wait.ended ? swept.final_ns : 0;
  const delay_ns = isDelay(final_ns, facts.took_idle_cpu) ? final_ns : 0;
  const shares = sharesOf(swept.parts, { ...facts, delay_ns });
  const main = mainOf(shares);
  const sentence = [
    mainSentence(wait, cpuCount, shares, facts),
    rest(wait, shares),
    facts.one_in > 1 ? `Estimated from one in ${facts.one_in} parts of the wait.` : null,
  ]
    .filter((part) => part !== null)
    .join(' ');
  const { one_in, usable_cpus } = facts;
  return { main, shares, cpu_ns: swept.cpu_ns, usable_cpus, one_in, sentence };
}

function mainSentence(
  wait: ReadyWait,
  cpuCount: number,
  [largest]: readonly WhyShare[],
  { c_state, usable_cpus, unrecorded }: VerdictFacts,
): string {
  if (largest === undefined) return 'Not explained.';
  const part = `${formatDuration(largest.ns)} (${formatShare(largest.ns / wait.dur)} of the wait)`;
  const cpus = usable_cpus === null ? allCpus(cpuCount) : `${cpuList(usable_cpus)}, all that it may use,`;
  const priority = wait.priority ?? 'not recorded';
  switch (largest.why) {
    case 'rank':
      return `Rank is why: for ${part} ${cpus} ran threads that went first, at least one of them by its better rank alone, at a priority below ${priority}.`;
    case 'priority':
      return `Priority is why: for ${part} ${cpus} ran threads of priority ${priority} or higher and no worse rank.`;
    case 'affinity':
      return `Affinity is why: it may run on ${cpuList(usable_cpus ?? [])} only. For ${part} threads that went first ran there, while another CPU was free.`;
    case 'interrupt':
      return `A DPC or interrupt is why: for ${part} it held the CPU that the thread would have run on. No thread runs on a CPU meanwhile.`;
    case 'frozen':
      return `Freezing is why: for ${part} its process was frozen. Windows runs no thread of a frozen process.`;
    case 'asleep':
      return `The machine slept for ${part}.`;
    case 'swapped_out':
      return `Swapping is why: its kernel stack or process was not in memory when it was readied, and had to be read in first. That took ${part}.`;
    case 'idle_wake_up':
      return `Idle wake-up is why: CPU ${wait.cpu}, idle until then (${c_state === null ? 'C-state not recorded' : `C-state ${c_state}`}), was free for it and took ${part} to run it.`;
    case 'preemption_delay':
      return `Preemption delay is why: it took ${part} to put aside a thread that had to yield to it.`;
    case 'not_explained':
      return `Not explained: for ${part} a CPU was idle or ran a thread that had to yield to it, and nothing recorded tells why that CPU did not run it.${missing(unrecorded)}`;
    case 'not_recorded':
      return `Not explained: for ${part} it is not recorded what ran on each CPU, or at which rank.`;
  }
}

function missing(unrecorded: readonly string[]): string {
  return unrecorded.length === 0 ? '' : ` Not in this trace: ${unrecorded.join(', ')}.`;
}

function allCpus(cpuCount: number): string {
  if (cpuCount === 1) return 'the one CPU';
  return cpuCount === 2 ? 'both CPUs' : `all ${cpuCount} CPUs`;
}

/** `CPU 3`, `CPUs 0 and 1`, `CPUs 64 to 127`, `5 CPUs`; `cpus` ascend. */
function cpuList(cpus: readonly number[]): string {
  const [first = 0, last = first] = [cpus[0], cpus.at(-1)];
  if (cpus.length > 3) return last - first < cpus.length ? `CPUs ${first} to ${last}` : `${cpus.length} CPUs`;
  const list = `${cpus.slice(0, -1).join(', ')}${cpus.length > 1 ? ' and ' : ''}${cpus.at(-1) ?? ''}`;
  return `CPU${cpus.length === 1 ? '' : 's'} ${list}`;
}

function rest(wait: ReadyWait, shares: readonly WhyShare[]): string | null {
  const others = shares.slice(1).filter(({ ns }) => ns >= wait.dur * MENTIONED_SHARE);
  if (others.length === 0) return null;
  const parts = others.map(({ why, ns }) => `${WHY_LABELS[why]} ${formatShare(ns / wait.dur)}`);
  return `The rest: ${parts.join(', ')}.`;
}
