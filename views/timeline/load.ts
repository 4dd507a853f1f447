import { keepLast, type Query } from '../../shared/engine/index.ts';
import { boundsOf, loadRecording, type Recording } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadBase, type Base } from './base.ts';
import { runsOf } from './cells.ts';
import { THREAD_CLASSES } from './classes.ts';
import { providersNamed } from './event-tracks.ts';
import type { TimelineModel, TrackPixels } from './model.ts';
import { needEvents, needJudged, needLines, needSamples, needShade } from './needs.ts';
import type { TimelineParams } from './params.ts';
import { cellBytes, pixelsOf } from './pixels.ts';
import { recording } from './params.ts';
import { shadeClasses } from './shades.ts';
import { hasGaps } from './track-words.ts';
import { processesIn, tracksOf, type ProcessTracks } from './tracks.ts';

/** So many pixels a still picture shows, each 2 px wide. */
const STILL_PIXELS = 460;
const NO_PROVIDER = 'No provider of generic events has this in its name.';

// What filters, orders and pins do not change is made once for a range.
const keepRecording = keepLast<Recording>();
const keepProcesses = keepLast<readonly ProcessTracks[]>();
const keepSums = keepLast<readonly number[]>();

/** The tracks of a range, and the first of them as pixels. */
export async function loadTimeline(
  query: Query,
  params: TimelineParams,
  range: TimeRange,
): Promise<TimelineModel> {
  return modelOf(query, await loadBase(query), params, range);
}

/** The same with the causes of the longest waits, and the samples; null where these are known to the model already. */
export async function judgeTimeline(
  query: Query,
  params: TimelineParams,
  range: TimeRange,
  model: TimelineModel,
): Promise<TimelineModel> {
  if (model.judged !== null) return model;
  const base = await loadBase(query);
  await needJudged(query, base);
  await needSamples(query, base);
  return modelOf(query, base, params, range);
}

async function modelOf(
  query: Query,
  base: Base,
  params: TimelineParams,
  range: TimeRange,
): Promise<TimelineModel> {
  const key = JSON.stringify(range);
  const { origin_ns, unrecorded, notes } = await keepRecording(query, key, () =>
    loadRecording(query, recording, boundsOf(range)),
  );
  const order = { start: params.order_from ?? range.start, end: params.order_to ?? range.end };
  const shade = params.color === 'process' ? null : params.color === 'rank' ? 'rank' : 'priority';
  if (shade !== null) await needShade(query, base, shade);
  const line = params.lines === 'none' ? null : params.lines;
  if (line !== null) await needLines(query, base, line);
  const providers = await providersNamed(query, params.events);
  await needEvents(query, base, providers);
  const processes = await keepProcesses(query, JSON.stringify(order), () =>
    Promise.resolve(processesIn(base, order)),
  );
  const listed = tracksOf(base, params, order, processes, providers);
  // Where it is not known what ran, what else happened is shown all the same.
  const tracks = unrecorded === null ? listed : listed.filter(hasGaps);
  const first = tracks.slice(0, Math.round(params.rows ?? 40)).map(({ key }) => key);
  const zoom = {
    start: range.start,
    pixel_ns: (range.end - range.start) / STILL_PIXELS,
    pixels: STILL_PIXELS,
  };
  const { cells, bars, lines } = pixelsOf(base, zoom, first, line);
  const still = first.map((key, track): TrackPixels => {
    const own = cells.subarray(track * cellBytes(zoom), (track + 1) * cellBytes(zoom));
    const ofLine = lines[track] ?? null;
    return {
      key,
      runs: runsOf(own),
      line: ofLine === null ? null : [...ofLine],
      bars: bars.filter((bar) => bar.track === track),
    };
  });
  return {
    range,
    origin_ns,
    cpu_count: base.lanes.cpus.length,
    judged: base.judged,
    tracks,
    cpu_classes: unrecorded !== null ? [] : shade === null ? base.cpuClasses : shadeClasses(shade),
    lines: line === null ? null : { of: line, most: base.lines.get(line)?.most ?? 0 },
    class_ns: await keepSums(query, `${key} ${base.judged}`, () => Promise.resolve(classSums(base, range))),
    still: { pixels: STILL_PIXELS, tracks: still },
    unrecorded: tracks.length === 0 ? unrecorded : null,
    notes: params.events && providers.length === 0 ? [...notes, NO_PROVIDER] : notes,
  };
}

/** How long all threads were in each class, in ns. */
function classSums({ lanes, ofThreads }: Base, { start, end }: TimeRange): number[] {
  const all = new Array<number>(THREAD_CLASSES.length).fill(0);
  for (const { lane } of lanes.threads.values()) {
    ofThreads
      .of(lane)
      .within(start, end)
      .forEach((ns, of) => (all[of] = (all[of] ?? 0) + ns));
  }
  return all;
}
