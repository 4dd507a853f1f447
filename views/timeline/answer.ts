import type { Query } from '../../shared/engine/index.ts';
import { loadBase } from './base.ts';
import { needJudged, needLines, needTracks } from './needs.ts';
import { pixelsOf } from './pixels.ts';
import type { Question } from './questions.ts';
import { nextStretch, stretchAt, threadStretch } from './stretch.ts';
import { flameOf } from './range-flame.ts';
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
