import { ROWS, type CpuShade } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { PixelsAnswer, Question, WideBar, Zoom } from './questions.ts';

/** The pixels of one track at one zoom. */
export interface Tile {
  readonly zoom: Zoom;
  /** `ROWS` rows of all pixels. */
  readonly cells: Uint8Array;
  readonly bars: readonly WideBar[];
  /** As {@link PixelsAnswer.lines} has it. */
  readonly line: Uint8Array | null;
  readonly numbers: readonly WideBar[];
}

/** What is known of a track: at the zoom in use or one before it, and of the whole trace. */
export interface TrackTiles {
  readonly near: Tile | undefined;
  readonly whole: Tile | undefined;
}

/** What pixels show besides what threads did. */
export interface TilesLook {
  /** Whether ready threads have the colours of the causes. */
  readonly judged: boolean;
  readonly line: CpuShade | null;
}

/** So many tracks are kept at a near zoom, and of the whole trace in so many pixels. */
const NEAR_TRACKS = 300;
const WHOLE_TRACKS = 4000;
const WHOLE_PIXELS = 512;
/** Tiles reach over both edges by this part of what is in sight, so that a pan finds them. */
const MARGIN = 0.25;

interface Wanted {
  readonly range: TimeRange;
  readonly width: number;
  readonly tracks: readonly string[];
}

interface Asked {
  readonly zoom: Zoom;
  readonly isWhole: boolean;
  readonly tracks: readonly string[];
}

/**
 * Pixels of tracks, asked for as they come into sight. One question is asked at a time, always for what is in sight then. The time
 * before and after that is asked for while the hand rests or pans.
 */
export class Tiles {
  readonly #ask: (question: Question) => Promise<unknown>;
  readonly #bounds: TimeRange;
  readonly #look: TilesLook;
  readonly #near = new Map<string, Tile>();
  readonly #whole = new Map<string, Tile>();
  #wanted: Wanted | null = null;
  #isAsking = false;

  /** Called when more is known; to be set by who draws. */
  onChange: () => void = () => undefined;
  /** Called when all is known that is in sight; likewise. */
  onSettled: () => void = () => undefined;

  constructor(ask: (question: Question) => Promise<unknown>, bounds: TimeRange, look: TilesLook) {
    this.#ask = ask;
    this.#bounds = bounds;
    this.#look = look;
  }

  of(track: string): TrackTiles {
    return { near: this.#near.get(track), whole: this.#whole.get(track) };
  }

  /** Has some tracks known in a range that is so many px wide; says whether they are known already. */
  want(range: TimeRange, width: number, tracks: readonly string[]): boolean {
    this.#wanted = { range, width, tracks };
    if (!this.#isAsking && this.#next() !== null) void this.#run();
    return this.#unknown() === null;
  }

  async #run(): Promise<void> {
    this.#isAsking = true;
    try {
      for (let question = this.#next(); question !== null; question = this.#next()) {
        const { zoom, isWhole, tracks } = question;
        const answer = (await this.#ask({ kind: 'pixels', zoom, tracks, ...this.#look })) as PixelsAnswer;
        this.#keep(answer, isWhole ? this.#whole : this.#near, isWhole ? WHOLE_TRACKS : NEAR_TRACKS);
        this.onChange();
        if (this.#unknown() === null) this.onSettled();
      }
    } catch {
      // The view is loaded again: what is drawn then asks anew.
    } finally {
      this.#isAsking = false;
    }
  }

  #next(): Asked | null {
    return this.#unknown() ?? this.#beside();
  }

  /** What asks for what is in sight and not known. */
  #unknown(): Asked | null {
    if (this.#wanted === null) return null;
    const { range, width, tracks } = this.#wanted;
    const pixel_ns = (range.end - range.start) / width;
    const stale = tracks.filter((track) => !isFresh(this.#near.get(track), range, pixel_ns));
    if (stale.length > 0) {
      // A pan goes on to the time before or after; a zoom does not need it.
      const isPan = stale.some((track) => isAtZoom(this.#near.get(track), pixel_ns));
      return nearOf(this.#wanted, stale, isPan ? MARGIN : 0);
    }
    const unknown = tracks.filter((track) => !this.#whole.has(track));
    if (unknown.length === 0) return null;
    const { start, end } = this.#bounds;
    const zoom = { start, pixel_ns: (end - start) / WHOLE_PIXELS, pixels: WHOLE_PIXELS };
    return { zoom, isWhole: true, tracks: unknown };
  }

  /** What to ask about the time before and after what is in sight, if less than half of it is known. */
  #beside(): Asked | null {
    if (this.#wanted === null) return null;
    const { range, width, tracks } = this.#wanted;
    const length = range.end - range.start;
    const wide = {
      start: Math.max(this.#bounds.start, range.start - (length * MARGIN) / 2),
      end: Math.min(this.#bounds.end, range.end + (length * MARGIN) / 2),
    };
    const narrow = tracks.filter((track) => !isFresh(this.#near.get(track), wide, length / width));
    return narrow.length === 0 ? null : nearOf(this.#wanted, narrow, MARGIN);
  }

  #keep(
    { zoom, tracks, cells, bars, lines, numbers }: PixelsAnswer,
    into: Map<string, Tile>,
    most: number,
  ): void {
    const bytes = ROWS * zoom.pixels;
    tracks.forEach((track, place) => {
      into.delete(track);
      into.set(track, {
        zoom,
        // A copy of its own: else one track would keep the others of its answer.
        cells: cells.slice(place * bytes, (place + 1) * bytes),
        bars: bars.filter((bar) => bar.track === place),
        line: lines[place] ?? null,
        numbers: numbers.filter((bar) => bar.track === place),
      });
    });
    for (const [oldest] of into) {
      if (into.size <= most) return;
      into.delete(oldest);
    }
  }
}

/** Tracks at the zoom that is wanted, and at both sides of it a part of what is in sight. */
function nearOf({ range, width }: Wanted, tracks: readonly string[], part: number): Asked {
  const pixel_ns = (range.end - range.start) / width;
  const margin = Math.ceil(width * part);
  const zoom = { start: range.start - margin * pixel_ns, pixel_ns, pixels: width + 2 * margin };
  return { zoom, isWhole: false, tracks };
}

function isAtZoom(tile: Tile | undefined, pixel_ns: number): tile is Tile {
  return tile !== undefined && Math.abs(tile.zoom.pixel_ns - pixel_ns) < pixel_ns * 1e-6;
}

function isFresh(tile: Tile | undefined, range: TimeRange, pixel_ns: number): boolean {
  if (!isAtZoom(tile, pixel_ns)) return false;
  const { start, pixels } = tile.zoom;
  return start <= range.start && start + pixels * tile.zoom.pixel_ns >= range.end - pixel_ns;
}
