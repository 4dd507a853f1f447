import type { Culprit, Finding } from './finding.ts';

/** A finding, and who made the threads in it wait. */
export interface Blamed {
  readonly finding: Finding;
  readonly culprit: Culprit | null;
}

/** Whether one finding explains another one. */
type Explains = (head: Blamed, under: Blamed) => boolean;

/** A wait begins so soon after the release that readied its thread, and a thread that has waited wakes others so soon. */
const SOON_NS = 1e6;
const NEXT_NS = 1e9;

const spanOf = ({ finding }: Blamed) => finding.where.span;
const isSameThread: Explains = (head, under) =>
  head.finding.where.tid !== null &&
  [under.finding.where.tid, under.culprit?.tid].includes(head.finding.where.tid);
const isSameProcess: Explains = (head, under) =>
  head.finding.where.pid !== null &&
  [under.finding.where.pid, under.culprit?.pid].includes(head.finding.where.pid);
const touches: Explains = (head, under) =>
  spanOf(under).start <= spanOf(head).end && spanOf(under).end >= spanOf(head).start;
const endsWithin: Explains = (head, under) =>
  spanOf(under).end >= spanOf(head).start && spanOf(under).end <= spanOf(head).end + SOON_NS;
const beginsSoonAfter: Explains = (head, under) =>
  spanOf(under).start >= spanOf(head).start && spanOf(under).start <= spanOf(head).end + SOON_NS;
const followsOn: Explains = (head, under) =>
  spanOf(under).start >= spanOf(head).start && spanOf(under).start <= spanOf(head).end + NEXT_NS;
const byCulprit: Explains = (head, under) =>
  head.culprit?.tid != null && head.culprit.tid === under.finding.where.tid;

const all =
  (...each: readonly Explains[]): Explains =>
  (head, under) =>
    each.every((explains) => explains(head, under));
const any =
  (...each: readonly Explains[]): Explains =>
  (head, under) =>
    each.some((explains) => explains(head, under));

/** What holds a thread up that waits for a CPU. */
const WAITS = ['long-ready-wait', 'rank-starvation', 'preemption', 'bimodal-waits'] as const;

/** Which rules' findings explain which, if so. What stands first goes before. */
const FOLDS: readonly (readonly [head: string, under: readonly string[], Explains])[] = [
  ['freeze-in-focus', WAITS, all(isSameProcess, touches)],
  ['rank-starvation', ['long-ready-wait', 'preemption', 'bimodal-waits'], isSameThread],
  ['rank-starvation', ['user-lock-contention'], all(isSameThread, touches)],
  ['rank-starvation', ['release-moment'], all(isSameThread, followsOn)],
  ['long-ready-wait', ['user-lock-contention'], all(isSameThread, touches)],
  ['long-ready-wait', ['release-moment'], all(isSameThread, followsOn)],
  ['hot-loop', ['release-moment'], all(isSameProcess, followsOn)],
  ['user-lock-contention', ['release-moment'], all(isSameThread, followsOn)],
  ['serialised-exits', ['growing-cost'], touches],
  ['serialised-exits', ['release-moment'], endsWithin],
  ['release-moment', WAITS, beginsSoonAfter],
  ['long-interrupt', ['long-ready-wait'], all(touches, (head, under) => 2 * length(head) >= length(under))],
  ['switch-storm', ['migration', 'preemption', 'bimodal-waits'], touches],
  ['long-ready-wait', ['preemption', 'bimodal-waits'], isSameThread],
  ['preemption', ['bimodal-waits'], isSameThread],
  ['release-moment', ['blame-above-bound'], any(isSameThread, byCulprit)],
  ['hot-loop', ['blame-above-bound'], isSameProcess],
  ['rank-starvation', ['blame-above-bound'], isSameThread],
  ['long-ready-wait', ['blame-above-bound'], isSameThread],
  ['user-lock-contention', ['blame-above-bound'], isSameThread],
  ['serialised-exits', ['blame-above-bound'], endsWithin],
  ['growing-cost', ['blame-above-bound'], any(isSameProcess, endsWithin)],
];

function length(of: Blamed): number {
  return spanOf(of).end - spanOf(of).start;
}

/** Of each finding the place of the one that explains it; null for the heads of stories. No finding explains itself. */
export function foldFindings(found: readonly Blamed[]): readonly (number | null)[] {
  const heads = found.map((): number | null => null);
  const leadsTo = (from: number, place: number): boolean => {
    for (let at: number | null = from; at !== null; at = heads[at] ?? null) if (at === place) return true;
    return false;
  };
  for (const [headRule, rules, explains] of FOLDS) {
    found.forEach((under, place) => {
      if (heads[place] !== null || !rules.includes(under.finding.rule)) return;
      const head = found.findIndex(
        (each, at) =>
          at !== place && each.finding.rule === headRule && explains(each, under) && !leadsTo(at, place),
      );
      if (head >= 0) heads[place] = head;
    });
  }
  return heads;
}
