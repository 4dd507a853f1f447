import { EPISODE_TITLES } from '../causes/index.ts';
import { errorOfDifference, reach } from './bootstrap.ts';
import type { EpisodeChange, LengthChange } from './comparison.ts';
import type { Differences } from './difference.ts';
import { COMPARED_KINDS, whyNoEpisodes, type ComparedKind } from './episodes.ts';
import type { SideName } from './match.ts';
import type { Measured } from './measure.ts';
import { NO_LENGTHS, UnitLengths, type LengthSide, type QuantileName } from './quantiles.ts';

/** Of so many processes the lengths of waits are told: those that waited most often. */
const LENGTHS_OF = 8;

/** The lengths of ready waits that differ: of all processes together, and of those that waited most often. */
export function lengthsOf(
  lengths: { readonly a: ReadonlyMap<number, UnitLengths>; readonly b: ReadonlyMap<number, UnitLengths> },
  differences: Differences,
): LengthChange[] {
  const countOf = (process: number) =>
    (lengths.a.get(process)?.side.n ?? 0) + (lengths.b.get(process)?.side.n ?? 0);
  const processes = [...new Set([...lengths.a.keys(), ...lengths.b.keys()])]
    .sort((x, y) => countOf(y) - countOf(x))
    .slice(0, LENGTHS_OF);
  const many = 3 * (processes.length + 1);
  const rows = processes.map((process) => ({
    process,
    a: lengths.a.get(process) ?? null,
    b: lengths.b.get(process) ?? null,
  }));
  const together = (side: 'a' | 'b') => {
    const sum = new UnitLengths(differences[side]);
    for (const own of lengths[side].values()) sum.merge(own);
    return sum;
  };
  const all = { process: null, a: together('a'), b: together('b') };
  return [all, ...rows]
    .map(({ process, a, b }) => ({ process, ...lengthChange(a, b, differences, many) }))
    .filter(({ a, b }) => JSON.stringify(a) !== JSON.stringify(b));
}

/** The lengths of episodes, of the kinds that both sides recorded. */
export function episodesOf(
  a: readonly Measured[],
  b: readonly Measured[],
  differences: Differences,
): EpisodeChange[] {
  const kinds = COMPARED_KINDS.filter((kind) => whyNoEpisodes(kind, a, b) === null);
  const of = (side: SideName, kind: ComparedKind) => {
    const lengths = new UnitLengths(differences[side]);
    for (const [trace, { episodes }] of { a, b }[side].entries()) {
      const own = episodes.get(kind);
      if (own !== undefined) lengths.add(trace, own);
    }
    return lengths;
  };
  return kinds
    .map((kind) => ({
      ...{ kind, title: EPISODE_TITLES[kind] },
      ...lengthChange(of('a', kind), of('b', kind), differences, 3 * kinds.length),
    }))
    .filter(({ a, b }) => JSON.stringify(a) !== JSON.stringify(b));
}

function lengthChange(
  a: UnitLengths | null,
  b: UnitLengths | null,
  { resamplers }: Differences,
  many: number,
): Omit<LengthChange, 'process'> {
  const names: readonly QuantileName[] = ['p50', 'p90', 'p99'];
  const of = (lengths: UnitLengths | null, side: 'a' | 'b') =>
    lengths === null ? names.map(() => null) : lengths.quantiles(names, resamplers[side]);
  const [ofA, ofB] = [of(a, 'a'), of(b, 'b')];
  const sideOf = (lengths: UnitLengths | null, estimates: typeof ofA): LengthSide => {
    const { n, max_ns } = lengths?.side ?? NO_LENGTHS;
    const [p50_ns = 0, p90_ns = 0, p99_ns = 0] = estimates.map((each) =>
      // Of no waits there is none. The middle of the last class may lie beyond the longest.
      each === null || Number.isNaN(each.value) ? 0 : Math.min(max_ns, Math.exp(each.value)),
    );
    return { n, p50_ns, p90_ns, p99_ns, max_ns };
  };
  const sure = names.filter((_, at) => {
    const [x, y] = [ofA[at], ofB[at]];
    if (x == null || y == null) return false;
    return Math.abs(y.value - x.value) > reach(errorOfDifference(x, y), many);
  });
  return { a: sideOf(a, ofA), b: sideOf(b, ofB), sure };
}
