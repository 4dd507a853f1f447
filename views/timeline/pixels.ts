import {
  detailOf,
  NOTHING,
  rasterLane,
  ROWS,
  SHADE_FIRST,
  stateOf,
  utidOf,
  type CpuShade,
  type Lane,
} from '../../shared/timeline/index.ts';
import { programLabel } from '../../shared/threads/index.ts';
import { WHY_LABELS, WHYS } from '../../shared/why-late/index.ts';
import { processName, type Base, type Summed } from './base.ts';
import { linePixels } from './line-pixels.ts';
import { INSTANT_CLASS, machineName } from './machine.ts';
import type { PixelsAnswer, WideBar, Zoom } from './questions.ts';
import { SAMPLES_KEY } from './sample-track.ts';

/** A stretch has words in it from so many px on. */
const WIDE_PX = 28;

/** What a track is drawn from: the sums of its lanes in one. */
interface Source {
  readonly lanes: readonly Lane[];
  readonly of: Summed;
}

const NO_SOURCE: readonly Lane[] = [];

/** The lanes of a track, by its key. */
export function lanesOf(
  { lanes, threadsOf, ofCpus, ofThreads, machine, ofMachine, shades }: Base,
  key: string,
): Source {
  const number = Number(key.slice(1));
  switch (key[0]) {
    case 'm':
      return { lanes: machine.tracks[number]?.lanes ?? NO_SOURCE, of: ofMachine };
    case 'c':
      return { lanes: lanes.cpus.slice(number, number + 1), of: ofCpus };
    case 'q':
    case 'r': {
      const shade = shades.get(key.startsWith('q') ? 'priority' : 'rank');
      if (shade === undefined) return { lanes: NO_SOURCE, of: ofCpus };
      return { lanes: shade.lanes.slice(number, number + 1), of: shade.of };
    }
    case 'p': {
      const utids = threadsOf.get(number) ?? [];
      return { lanes: utids.flatMap((utid) => lanes.threads.get(utid)?.lane ?? []), of: ofThreads };
    }
    case 't': {
      const lane = lanes.threads.get(number)?.lane;
      return { lanes: lane === undefined ? NO_SOURCE : [lane], of: ofThreads };
    }
    default:
      return { lanes: NO_SOURCE, of: ofThreads };
  }
}

/** How many bytes the cells of a track in so many pixels are. */
export function cellBytes({ pixels }: Zoom): number {
  return ROWS * pixels;
}

/** Tracks at one zoom as pixels, and words for what is wide; `line`: what lines in the lanes of threads tell. */
export function pixelsOf(
  base: Base,
  zoom: Zoom,
  tracks: readonly string[],
  line: CpuShade | null,
): PixelsAnswer {
  const { start, pixel_ns, pixels } = zoom;
  const cells = new Uint8Array(tracks.length * cellBytes(zoom));
  const bars: WideBar[] = [];
  let sums = new Float64Array(0);
  tracks.forEach((key, track) => {
    const into = cells.subarray(track * cellBytes(zoom), (track + 1) * cellBytes(zoom));
    const items = base.items.get(key)?.pixels;
    if (items !== undefined) {
      items.draw(into, zoom);
      bars.push(...items.bars(zoom).map((bar) => ({ ...bar, track })));
      return;
    }
    if (key === SAMPLES_KEY) {
      base.samples?.draw(into, zoom);
      return;
    }
    const { lanes, of } = lanesOf(base, key);
    const { count } = of.classes;
    if (sums.length === pixels * count) sums.fill(0);
    else sums = new Float64Array(pixels * count);
    for (const lane of lanes) of.of(lane).addPixels(start, pixel_ns, pixels, sums);
    if (key.startsWith('m')) fillInstants(sums, count, pixel_ns);
    const { order, kept } = of.order;
    rasterLane(sums, count, pixel_ns * Math.max(1, lanes.length), order, kept, into);
    const [lane] = lanes;
    if (lane === undefined || lanes.length > 1) return;
    addWideBars(lane, (value) => wordsOf(base, key, value), zoom, track, bars);
  });
  const numbers: WideBar[] = [];
  const lines = tracks.map((key, track) => {
    const lane =
      line !== null && key.startsWith('t')
        ? base.lines.get(line)?.lanes.get(Number(key.slice(1)))
        : undefined;
    if (lane === undefined) return null;
    addWideBars(lane, (value) => (value === NOTHING ? [] : [String(value - 1)]), zoom, track, numbers);
    return linePixels(lane, zoom);
  });
  return { zoom, tracks, cells, bars, lines, numbers };
}

/** An instant fills its pixel. */
function fillInstants(sums: Float64Array, count: number, pixel_ns: number): void {
  for (let pixel = 0; pixel < sums.length; pixel += count)
    if ((sums[pixel + INSTANT_CLASS] ?? 0) > 0)
      sums.fill(0, pixel, pixel + count)[pixel + INSTANT_CLASS] = pixel_ns;
}

/** A wide stretch has one of the places that are looked at in it, however many others are between two of these. */
function addWideBars(
  lane: Lane,
  wordsFor: (value: number) => readonly string[],
  { start, pixel_ns, pixels }: Zoom,
  track: number,
  bars: WideBar[],
): void {
  const end = start + pixel_ns * pixels;
  const wide_ns = WIDE_PX * pixel_ns;
  for (let at = start; at < end;) {
    const { ts, te, value } = lane.at(at);
    const shown_ns = Math.min(te, end) - Math.max(ts, start);
    if (shown_ns >= wide_ns) {
      const texts = wordsFor(value);
      if (texts.length > 0) bars.push({ track, ts: Math.max(ts, start), te: Math.min(te, end), texts });
    }
    at = Math.max(te, at + wide_ns / 2);
  }
}

/** What a value of a track is in words, the longest first. */
export function wordsOf({ lanes, names, machine }: Base, key: string, value: number): readonly string[] {
  if (key.startsWith('m')) return value === NOTHING ? [] : [machineName(machine, value)];
  if (/^[qr]/.test(key)) {
    if (value < SHADE_FIRST) return [];
    const number = String(value - SHADE_FIRST);
    return [`${key.startsWith('q') ? 'priority' : 'rank'} ${number}`, number];
  }
  if (key.startsWith('c')) {
    const utid = utidOf(value);
    if (utid === null || utid === 0) return [];
    const name = names.get(utid);
    const process = processName(names, utid);
    const program = programLabel({ process, service: name?.service });
    return [`${program} ${name?.tid ?? ''}`, `${process} ${name?.tid ?? ''}`, process];
  }
  const detail = detailOf(value);
  switch (stateOf(value)) {
    case 'running':
      return [`CPU ${detail}`, `${detail}`];
    case 'ready': {
      const why = WHYS[detail - 1];
      return why === undefined ? ['ready'] : [`ready: ${WHY_LABELS[why]}`, WHY_LABELS[why], 'ready'];
    }
    case 'blocked': {
      const reason = lanes.reasons[detail] ?? null;
      return reason === null ? [] : [reason];
    }
    case 'lost':
      return ['not recorded'];
    case 'nothing':
      return [];
  }
}
