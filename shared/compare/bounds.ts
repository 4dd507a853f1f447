import { WHYS } from '../why-late/index.ts';
import { errorOfDifference, reach } from './bootstrap.ts';
import type { Measure } from './cells.ts';
import type { Difference, Differences } from './difference.ts';
import type { Gathered } from './gather.ts';
import type { Matched } from './match.ts';
import { QUANTILES, UnitLengths, type QuantileName } from './quantiles.ts';

/** What a bound is about: `ready.p99(app.exe)`. */
interface BoundOf {
  readonly measure: Measure | 'switches';
  /** A cause of ready time, a quantile of the lengths of ready waits, or null for all. */
  readonly part: string | null;
  /** An image; null for all processes. */
  readonly image: string | null;
}

/** How much more, or less, B may have than A. */
export interface Bound extends BoundOf {
  /** As it was written. */
  readonly text: string;
  /** 1 for a bound on growth (`> +20 %`), -1 for one on shrinking (`< -20 %`). */
  readonly sign: 1 | -1;
  /** A part of A, or ns, or a number of switches; not below 0. */
  readonly limit: number;
  readonly is_ratio: boolean;
}

/** Whether a bound is kept. `cannot_tell` is no failure. */
export interface JudgedBound {
  readonly text: string;
  readonly result: 'broken' | 'kept' | 'cannot_tell' | 'not_recorded';
  /** The figures, or why there are none, as a sentence. */
  readonly proof: string;
}

/** A bound that cannot be meant. */
export class BoundError extends Error {
  override readonly name = 'BoundError';
}

const UNITS_NS: Readonly<Record<string, number>> = { s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 };
const FORM =
  /^\s*(?<measure>cpu|ready|blocked|blame|switches)(?:\.(?<part>\w+))?\s*(?:\(\s*(?<image>[^)]+?)\s*\))?\s*(?<sign>>\s*\+?|<\s*[-−])\s*(?<limit>\d+(?:\.\d+)?)\s*(?<unit>%|s|ms|us|µs|ns|)\s*$/u;

/** Reads a bound such as `ready.p99 > +20 %` or `cpu(app.exe) > +0.5 s`; throws a {@link BoundError}. */
export function readBound(text: string): Bound {
  const {
    measure,
    part = null,
    image = null,
    sign = '',
    limit = '',
    unit = '',
  } = FORM.exec(text)?.groups ?? {};
  if (measure === undefined)
    throw new BoundError(
      `"${text}" is no bound: one is "ready.p99 > +20 %", "cpu(app.exe) > +0.5 s" or "switches < -10 %"`,
    );
  const parts: readonly string[] = measure === 'ready' ? [...Object.keys(QUANTILES), ...WHYS] : [];
  if (part !== null && !parts.includes(part))
    throw new BoundError(
      parts.length === 0
        ? `"${text}": ${measure} has no parts`
        : `"${text}": ready has the parts ${parts.join(', ')}, not ${part}`,
    );
  if (unit !== '%' && (unit === '') !== (measure === 'switches'))
    throw new BoundError(
      `"${text}": ${measure === 'switches' ? 'switches are counted: write a number or %' : 'the limit needs a unit: %, s, ms or us'}`,
    );
  return {
    text: text.trim(),
    measure: measure as Bound['measure'],
    part,
    image,
    sign: sign.startsWith('>') ? 1 : -1,
    is_ratio: unit === '%',
    limit: Number(limit) * (unit === '%' ? 0.01 : (UNITS_NS[unit] ?? 1)),
  };
}

/** What bounds are judged by. */
export interface BoundFacts {
  readonly gathered: readonly Gathered[];
  readonly lengths: {
    readonly a: ReadonlyMap<number, UnitLengths>;
    readonly b: ReadonlyMap<number, UnitLengths>;
  };
  readonly differences: Differences;
  /** Measures that cannot be compared, and why. */
  readonly lacking: ReadonlyMap<Measure, string>;
  readonly processes: readonly Matched[];
}

/**
 * A gate is asked with each change of a program: it may be wrong a fifth as often as the rows of a report. Intervals that are to hold
 * together grow with their number.
 */
const SURER = 5;

/** Judges bounds: broken is what is beyond its limit for sure, all of them together in 99 of 100 comparisons without a change. */
export function judgeBounds(bounds: readonly Bound[], facts: BoundFacts): JudgedBound[] {
  return bounds.map((bound) => judge(bound, facts, SURER * bounds.length));
}

function judge(bound: Bound, facts: BoundFacts, many: number): JudgedBound {
  const { text, measure, image } = bound;
  const lacks = facts.lacking.get(measure === 'switches' ? 'cpu' : measure);
  if (lacks !== undefined) return { text, result: 'not_recorded', proof: lacks };
  const wanted = image?.toLowerCase();
  const isMeant = (process: number) => {
    const of = facts.processes[process];
    return wanted === undefined || of?.image.toLowerCase() === wanted || of?.name.toLowerCase() === wanted;
  };
  if (image !== null && !facts.processes.some((_, process) => isMeant(process)))
    throw new BoundError(`"${text}": neither A nor B has a process ${image}`);
  const isQuantile = bound.part !== null && bound.part in QUANTILES;
  const of = isQuantile
    ? quantileOf(bound.part as QuantileName, isMeant, facts)
    : sumsOf(bound, isMeant, facts);
  if (of === null) return { text, result: 'cannot_tell', proof: 'One side has no ready wait that ended.' };
  const [value, error] = bound.is_ratio ? [Math.log(of.b / of.a), of.ratioError] : [of.delta, of.error];
  const limit = bound.is_ratio
    ? Math.log(Math.max(0, 1 + bound.sign * bound.limit))
    : bound.sign * bound.limit;
  const far = reach({ error, df: of.df }, many);
  const result = resultOf(bound, of, { value, far, limit, many });
  return { text, result, proof: proofOf(bound, of, result, far) };
}

/** Numbers on the scale of the bound: logarithms for a part of A. */
interface OnScale {
  readonly value: number;
  readonly far: number;
  readonly limit: number;
  /** How many intervals are to hold together. */
  readonly many: number;
}

function resultOf(
  { sign, is_ratio }: Bound,
  of: Difference,
  { value, far, limit, many }: OnScale,
): JudgedBound['result'] {
  if (of.a === 0 && of.b === 0) return 'kept';
  if (is_ratio && of.a === 0) {
    // More than nothing is more than any part of it.
    if (sign < 0) return 'kept';
    return of.delta > reach(of, many) ? 'broken' : 'cannot_tell';
  }
  if (is_ratio && of.b === 0) {
    if (sign > 0) return 'kept';
    return -of.delta > reach(of, many) ? 'broken' : 'cannot_tell';
  }
  if (!Number.isFinite(far)) return 'cannot_tell';
  if (sign * (value - limit) - far > 0) return 'broken';
  return sign * (value - limit) + far <= 0 ? 'kept' : 'cannot_tell';
}

function proofOf(
  { measure, is_ratio }: Bound,
  of: Difference,
  result: JudgedBound['result'],
  far: number,
): string {
  const figure = (value: number) =>
    measure === 'switches' ? `${Math.round(value)}` : `${(value / 1e9).toPrecision(4)} s`;
  const percent = (ratio: number) => `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(1)} %`;
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${figure(Math.abs(value))}`;
  const sides = `${figure(of.a)} in A, ${figure(of.b)} in B`;
  if (is_ratio && (of.a === 0 || of.b === 0)) return `${sides}${cannotTell(result, of)}.`;
  const change = is_ratio ? percent(of.b / of.a) : signed(of.delta);
  const between = is_ratio
    ? [percent((of.b / of.a) * Math.exp(-far)), percent((of.b / of.a) * Math.exp(far))]
    : [signed(of.delta - far), signed(of.delta + far)];
  const interval = Number.isFinite(far) ? `, between ${between.join(' and ')}` : '';
  return `${sides}: ${change}${interval}${cannotTell(result, of)}.`;
}

const cannotTell = (result: JudgedBound['result'], { n }: Difference) =>
  result === 'cannot_tell' ? `; cannot tell, n = ${n}` : '';

function sumsOf(
  { measure, part }: Bound,
  isMeant: (process: number) => boolean,
  facts: BoundFacts,
): Difference {
  const { differences } = facts;
  const sums = { a: differences.a.none(), b: differences.b.none() };
  const [from, values] = measure === 'switches' ? (['cpu', 'count'] as const) : ([measure, 'ns'] as const);
  for (const { subject, ...sides } of facts.gathered) {
    if (subject.measure !== from || !isMeant(subject.process)) continue;
    if (part !== null && subject.why !== part) continue;
    for (const side of ['a', 'b'] as const)
      sides[side][values].forEach((value, unit) => (sums[side][unit] = (sums[side][unit] ?? 0) + value));
  }
  return differences.ofSums(sums.a, sums.b);
}

function quantileOf(
  name: QuantileName,
  isMeant: (process: number) => boolean,
  { lengths, differences }: BoundFacts,
): Difference | null {
  const of = (side: 'a' | 'b') => {
    const all = new UnitLengths(differences[side]);
    for (const [process, own] of lengths[side]) if (isMeant(process)) all.merge(own);
    return { all, estimate: all.quantile(name, differences.resamplers[side]) };
  };
  const [a, b] = [of('a'), of('b')];
  if (a.all.side.n === 0 || b.all.side.n === 0) return null;
  const { error, df } = errorOfDifference(a.estimate, b.estimate);
  const [ofA, ofB] = [Math.exp(a.estimate.value), Math.exp(b.estimate.value)];
  return {
    a: ofA,
    b: ofB,
    delta: ofB - ofA,
    error: Math.hypot(a.estimate.error * ofA, b.estimate.error * ofB),
    df,
    ratioError: error,
    n: Math.min(a.all.units, b.all.units),
  };
}
