import { formatCount, formatDuration, formatLocalTime, formatTime } from '../../shared/model/index.ts';
import type { MainWhy } from '../../shared/why-late/index.ts';
import type { Facts, LateWait, OverviewModel } from './model.ts';

/** Each reason for a late run, short enough for the column of a table in a small window. */
const VERDICTS: Readonly<Record<MainWhy, string>> = {
  rank: 'rank: better ranks of lower priority ran',
  priority: 'priority: equal or higher ran on all CPUs',
  affinity: 'affinity: its CPUs busy, another one free',
  interrupt: 'a DPC or an interrupt kept the CPU',
  frozen: 'its process was frozen',
  asleep: 'the machine slept',
  swapped_out: 'its stack or process was not in memory',
  idle_wake_up: 'the idle CPU that took it was waking up',
  preemption_delay: 'its CPU was slow to put a thread aside',
  not_explained: 'not explained, or too little recorded',
};

/** Why a wait was late, in a line. */
export function verdictWords({ why_late }: LateWait): string {
  return VERDICTS[why_late];
}

/** The recording and the machine as named values, in the order in which they are shown. */
export function factWords(model: OverviewModel): (readonly [string, string])[] {
  const { facts } = model;
  const { os_version, os_build, pointer_bytes, cpu_count, cpu_mhz } = facts;
  const windows = [os_version, os_build === null ? null : `build ${os_build}`].filter(
    (part) => part !== null,
  );
  const bits = pointer_bytes === null ? '' : `, ${pointer_bytes * 8} bit`;
  const mhz = cpu_mhz === null || cpu_mhz === 0 ? '' : ` × ${formatCount(cpu_mhz)} MHz`;
  const lost = [
    [facts.events_lost, 'event'],
    [facts.buffers_lost, 'buffer'],
    [facts.gaps, 'gap'],
  ] as const;
  const losses = lost
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`);
  return [
    ['length', lengthWords(model)],
    ['recorded', recorded(facts) ?? '–'],
    ['Windows', windows.length === 0 ? '–' : `${windows.join(' ')}${bits}`],
    ['CPUs', `${cpu_count}${mhz}`],
    ['processes', formatCount(facts.processes)],
    ['threads', formatCount(facts.threads)],
    ['events', formatCount(facts.events_read)],
    ['context switches', formatCount(facts.context_switches)],
    ['lost', losses.length === 0 ? 'nothing' : losses.join(', ')],
  ];
}

/** How long it is; of a part also where it is in the recording. */
function lengthWords({ facts, range, origin_ns }: OverviewModel): string {
  const length = formatDuration(facts.dur_ns);
  const isPart = range.start > origin_ns || range.end < origin_ns + facts.recorded_ns;
  return isPart ? `${length}, from ${formatTime(range.start, origin_ns)} on` : length;
}

/** When the recording began, on the clock of the recorded machine. */
function recorded({ start_utc_ns, utc_offset_minutes }: Facts): string | null {
  if (start_utc_ns === null) return null;
  return formatLocalTime(Number(BigInt(start_utc_ns) / 1_000_000n), utc_offset_minutes);
}

/** What the CPU strip shows. */
export function cpuWords({ cpu }: OverviewModel): string {
  return `share of all CPUs by process${cpu.source === 'samples' ? ', by profile samples' : ''}`;
}

/** Which marks of the lanes are left out, in a line; null where all are shown. */
export function cutWords(model: OverviewModel): string | null {
  const lanes = [
    ['focus: the longest', model.focus, model.focus_count],
    ['input: the first', model.inputs, model.input_count],
    ['frozen: the longest', model.freezes, model.freeze_count],
  ] as const;
  const cut = lanes
    .filter(([, shown, count]) => shown.length < count)
    .map(([which, shown, count]) => `${which} ${formatCount(shown.length)} of ${formatCount(count)}`);
  return cut.length === 0 ? null : cut.join(' · ');
}

/** What was found, in a line. */
export function findingWords({ findings: found }: OverviewModel): string {
  if (found === null) return 'looking…';
  const { findings, checked, not_checked, failed } = found;
  const count = findings.length === 0 ? 'nothing' : formatCount(findings.length);
  const lacking = not_checked.length === 0 ? '' : `, ${not_checked.length} lack their events`;
  const wrong = failed.length === 0 ? '' : `, ${failed.length} failed`;
  const rules = checked.length + not_checked.length + failed.length;
  const hint = findings.length === 0 ? '' : '; choose one to see its proof';
  return `${count} found by ${rules} rules${lacking}${wrong}${hint}`;
}
