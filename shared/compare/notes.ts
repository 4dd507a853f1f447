import type { Measure } from './cells.ts';
import type { Matched } from './match.ts';
import { notRecorded, type Measured } from './measure.ts';
import type { Tie } from './ties.ts';
import type { Units } from './units.ts';

const MEASURES: readonly Measure[] = ['cpu', 'ready', 'blocked', 'blame', 'samples', 'disk_io', 'file_io'];
/** Where neither side recorded these measures, no note says so: most recordings leave them out. */
const SPECIAL: ReadonlySet<Measure> = new Set(['samples', 'disk_io', 'file_io']);
const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  cpu: 'CPU time',
  ready: 'ready time',
  blocked: 'blocked time',
  blame: 'whom others waited for',
  samples: 'sampled CPU time',
  disk_io: 'disk I/O',
  file_io: 'file I/O',
};
/** Measures that are measured last. */
const LATE: ReadonlySet<Measure> = new Set(['ready', 'blame']);
/** Of fewer traces an interval is so wide that next to nothing is sure. */
const TRACES_NEEDED = 4;

/** Why measures cannot be compared, as sentences, by measure. */
export function lackingMeasures(
  a: readonly Measured[],
  b: readonly Measured[],
): ReadonlyMap<Measure, string> {
  return new Map(
    MEASURES.flatMap((measure) => {
      const why = whyNot(measure, a, b);
      return why === null ? [] : [[measure, why]];
    }),
  );
}

function whyNot(measure: Measure, a: readonly Measured[], b: readonly Measured[]): string | null {
  const of = (side: string, traces: readonly Measured[]) =>
    traces.flatMap((trace) => {
      const lacks = notRecorded(trace, measure);
      return lacks === null ? [] : [`${side} (${trace.name}) has ${lacks}`];
    });
  const lacking = [...of('A', a), ...of('B', b)];
  const [first] = lacking;
  if (first === undefined && LATE.has(measure) && ![...a, ...b].every(({ isWhole }) => isWhole))
    return `Not compared yet: ${MEASURE_NAMES[measure]}.`;
  if (SPECIAL.has(measure) && lacking.length === a.length + b.length) return null;
  return first === undefined ? null : `Not compared: ${MEASURE_NAMES[measure]}. ${first}.`;
}

/** What of a tie that does not fit is said. */
export function tieNote({ a, b }: Tie): string {
  return `The tie ${a} = ${b} is left out: A or B has no such process, or another tie has it.`;
}

/** What must be known of two sides to read what changed, as sentences. */
export function notesOf(a: Units, b: Units, matched: readonly Matched[]): string[] {
  const notes: string[] = [];
  if (!matched.some(({ step }) => step !== 'only'))
    notes.push('A and B have no process in common: each row is of one side alone.');
  const redacted = (units: Units) => units.traces.some(({ recorded }) => recorded.redacted !== null);
  if (redacted(a) !== redacted(b))
    notes.push('One side is redacted, the other is not: processes with pseudonyms cannot be matched.');
  else if (redacted(a) && !matched.some(({ image, step }) => image.startsWith('~') && step !== 'only'))
    notes.push(
      'Both sides are redacted, and no pseudonym is on both: they come from exports with different keys.',
    );
  for (const [side, { traces, areSure }] of [
    ['A', a],
    ['B', b],
  ] as const) {
    const holed = traces.filter(({ recorded: { facts } }) => (facts.get('gaps') ?? '0') !== '0');
    const of = traces.length === 1 ? '' : `, in ${holed.length} of ${traces.length} traces`;
    if (holed.length === 0) continue;
    const leftOut_ns = holed.reduce((sum, trace) => sum + trace.leftOut_ns, 0);
    if (leftOut_ns > 0)
      notes.push(
        `${side} has gaps in its recording${of}: ${seconds(leftOut_ns)} around these are not compared.`,
      );
    if (!areSure)
      notes.push(
        `${side} lacks more than 1 % of its events${of}, at times that are not known: nothing is sure.`,
      );
    else if (holed.some((trace) => trace.leftOut_ns === 0))
      notes.push(`${side} has gaps in its recording${of}: a difference may come from these alone.`);
  }
  const [lengthA, lengthB] = [a.traceLength_ns, b.traceLength_ns];
  if (Math.round(lengthA) !== Math.round(lengthB)) {
    const [wordsA, wordsB] = toldApart(lengthA, lengthB);
    notes.push(`A is ${wordsA} long, B ${wordsB}: sums of A are scaled to the length of B.`);
  }
  for (const [side, { areTraces, count }] of [
    ['A', a],
    ['B', b],
  ] as const)
    if (areTraces && count < TRACES_NEEDED)
      notes.push(`${side} has ${count} traces: they tell little of how traces differ. Four or more tell it.`);
  if (a.areTraces !== b.areTraces)
    notes.push(
      'One side has one trace: its interval rests on its seconds, and does not know how traces differ.',
    );
  return notes;
}

const seconds = (ns: number, digits = 3) => `${(ns / 1e9).toFixed(digits)} s`;

/** Two lengths that differ, in seconds with as many digits as tell them apart. */
function toldApart(a_ns: number, b_ns: number): readonly [a: string, b: string] {
  for (const digits of [3, 6]) {
    const [a, b] = [seconds(a_ns, digits), seconds(b_ns, digits)];
    if (a !== b) return [a, b];
  }
  return [seconds(a_ns, 9), seconds(b_ns, 9)];
}
