import type { Query } from '../../shared/engine/index.ts';
import { labelFrames, labelsOfStack, loadCalls, loadSamples } from '../../shared/samples/index.ts';
import { growFlame, PATH_END } from '../kit/index.ts';
import { loadBase } from './base.ts';
import { needJudged, needLines, needTracks } from './needs.ts';
import { pixelsOf } from './pixels.ts';
import type { Question, FlameAnswer } from './questions.ts';
import { nextStretch, stretchAt, threadStretch } from './stretch.ts';
import { sumsOf, threadsIn } from './sums.ts';
import { longestWoken, wokenIn } from './wakes.ts';

/** Answers what the drawn view asks. */
export async function answerTimeline(query: Query, question: unknown): Promise<unknown> {
  const base = await loadBase(query);
  const asked = question as Question;
  switch (asked.kind) {
    case 'pixels':
      if (asked.judged) await needJudged(query, base);
      if (asked.line !== null) await needLines(query, base, asked.line);
      await needTracks(query, base, asked.tracks);
      return pixelsOf(base, asked.zoom, asked.tracks, asked.line);
    case 'at':
      await needTracks(query, base, [asked.track]);
      return stretchAt(query, base, asked.track, asked.ts, asked.px_ns);
    case 'next':
      await needTracks(query, base, [asked.track]);
      return nextStretch(base, asked);
    case 'thread':
      return threadStretch(query, base, asked);
    case 'wakes':
      return wokenIn(query, asked);
    case 'woken':
      return longestWoken(query, base, asked);
    case 'flame':
      return flameOf(query, asked, threadsIn(base, asked.tracks));
    case 'sums':
      if (asked.judged) await needJudged(query, base);
      return sumsOf(query, base, asked);
  }
}

/** The stacks of the samples of some threads, or of all, within a range; null where there are none. */
async function flameOf(
  query: Query,
  range: { readonly start: number; readonly end: number },
  utids: ReadonlySet<number> | null,
): Promise<FlameAnswer> {
  const { count, callsite, kind, kinds } = await loadSamples(query, range);
  const found = new Map<number, number>();
  let [samples, weight_ns] = [0, 0];
  for (let sample = 0; sample < count; sample++) {
    const of = kinds[kind[sample] ?? -1];
    if (of === undefined || utids?.has(of.utid) === false) continue;
    const call = callsite[sample] ?? -1;
    found.set(call, (found.get(call) ?? 0) + 1);
    samples++;
    weight_ns += of.weight_ns;
  }
  if (samples === 0) return null;
  const calls = await loadCalls(query);
  const labels = labelFrames(calls, 'function');
  const stacks = Array.from(found.keys(), (call) => labelsOfStack(calls, labels, call));
  const frameAt = (stack: number, depth: number) => stacks[stack]?.[depth] ?? PATH_END;
  const tell = (label: number) => ({ label: labels.name(label), module: labels.module(label) });
  return { samples, weight_ns, root: growFlame(Float64Array.from(found.values()), frameAt, tell) };
}
