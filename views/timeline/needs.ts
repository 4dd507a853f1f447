import type { Query } from '../../shared/engine/index.ts';
import {
  loadCpuShades,
  loadJudgedWaits,
  loadThreadLines,
  type CpuShade,
} from '../../shared/timeline/index.ts';
import { Summed, type Base } from './base.ts';
import { EVENTS_KEY, eventsKey, loadEventTracks } from './event-tracks.ts';
import { loadSampleTrack, SAMPLES_KEY } from './sample-track.ts';
import { shadeOrder, shadeValues } from './shades.ts';

/** Has the CPUs of a trace in the colours of priority or rank too. */
export async function needShade(query: Query, { shades }: Base, shade: CpuShade): Promise<void> {
  if (shades.has(shade)) return;
  const lanes = await loadCpuShades(query, shade);
  const classes = shadeValues(shade);
  shades.set(shade, { lanes, of: new Summed(classes, shadeOrder(classes)) });
}

/** Has the rank or the priority of threads over time too. */
export async function needLines(query: Query, { lines }: Base, of: CpuShade): Promise<void> {
  if (!lines.has(of)) lines.set(of, await loadThreadLines(query, of));
}

/** Has the longest ready waits in the colours of their causes. */
export async function needJudged(query: Query, base: Base): Promise<void> {
  const waits = await loadJudgedWaits(query);
  if (base.judged !== null) return;
  base.judged = base.lanes.longest.length;
  for (const { utid, ts, value } of waits) {
    const lane = base.lanes.threads.get(utid)?.lane;
    if (lane !== undefined) base.ofThreads.replace(lane, ts, value);
  }
}

/** Has the events of some providers as tracks. */
export async function needEvents(query: Query, base: Base, providers: readonly string[]): Promise<void> {
  const missing = providers.filter((provider) => !base.items.has(eventsKey(provider)));
  for (const track of await loadEventTracks(query, base.names, missing)) base.items.set(track.key, track);
}

/** Has the samples of the CPUs as a track. */
export async function needSamples(query: Query, base: Base): Promise<void> {
  base.samples ??= await loadSampleTrack(query, base.lanes.cpus.length);
}

/** Loads what some tracks are drawn from. A model that was kept on disk names tracks that this worker does not know yet. */
export async function needTracks(query: Query, base: Base, keys: readonly string[]): Promise<void> {
  if (keys.some((key) => key.startsWith('q'))) await needShade(query, base, 'priority');
  if (keys.some((key) => key.startsWith('r'))) await needShade(query, base, 'rank');
  if (keys.includes(SAMPLES_KEY)) await needSamples(query, base);
  const events = keys.filter((key) => key.startsWith(EVENTS_KEY));
  await needEvents(
    query,
    base,
    events.map((key) => key.slice(EVENTS_KEY.length)),
  );
}
