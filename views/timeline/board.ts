import { group } from 'd3';
import type { TimeRange, ViewContext } from '../../shared/view/index.ts';
import type { LaneScroll } from '../kit/index.ts';
import type { SpotsOf } from './draw-chosen.ts';
import type { Extras } from './extras.ts';
import type { TimelineModel, Track } from './model.ts';
import type { params } from './params.ts';
import { namesIn, Places, TRACK_PX } from './places.ts';
import type { Question, Stretch } from './questions.ts';
import type { Kept } from './state.ts';

export type Context = ViewContext<typeof params>;

/** By what a track is known while it is drawn: a pinned one may stand under its process too. */
export function idOf({ key, is_pinned }: Pick<Track, 'key' | 'is_pinned'>): string {
  return is_pinned ? `^${key}` : key;
}

/** The tracks that are drawn now, and where they are. */
export class Board {
  readonly model: TimelineModel;
  readonly context: Context;
  readonly extras: Extras;
  readonly kept: Kept;
  /** The part of the trace in view. */
  range: TimeRange;
  tracks: readonly Track[] = [];
  places = new Places([], new Set());
  /** How many places there is room for, and what scrolls over them; set once these are drawn. */
  room = 1;
  scroll: LaneScroll | null = null;
  /** How wide the tracks are, in px. */
  width: () => number = () => 1;
  #indices = new Map<string, readonly number[]>();
  #ids = new Map<string, number>();

  constructor(model: TimelineModel, context: Context, extras: Extras, kept: Kept) {
    this.model = model;
    this.context = context;
    this.extras = extras;
    this.kept = kept;
    this.range = context.range;
    this.take();
  }

  /** Takes the tracks that there are now. */
  take(): void {
    this.tracks = this.extras.among(this.model.tracks, this.context.params);
    this.places = new Places(this.tracks, namesIn(this.context.params.tall));
    this.#ids = new Map(this.tracks.map((track, index) => [idOf(track), index]));
    this.#indices = group(this.tracks.keys(), (index) => this.tracks[index]?.key ?? '');
  }

  /** The place in the list of the track that the keys act on; -1 for none. */
  get cursor(): number {
    return this.#ids.get(this.kept.cursor ?? '') ?? -1;
  }

  get cursorTrack(): Track | undefined {
    return this.tracks[this.cursor];
  }

  /** Whether a track of this key is drawn, or can be scrolled to. */
  has(key: string): boolean {
    return this.#indices.has(key);
  }

  /** Has the keys act on a track. */
  pointAt(index: number): void {
    const track = this.tracks[index];
    if (track !== undefined) this.kept.cursor = idOf(track);
  }

  /** Has the keys act on the first track of a key; on no other where there is none. */
  pointTo(key: string): void {
    const track = this.tracks[this.#indices.get(key)?.[0] ?? -1];
    this.kept.cursor = track === undefined ? null : idOf(track);
  }

  /** Has the keys act on a track so many further on, which comes into sight. Undefined where there is none. */
  moveBy(by: number): Track | undefined {
    const from = this.cursor === -1 ? this.first() - Math.sign(by) : this.cursor;
    const next = Math.min(this.tracks.length - 1, Math.max(0, from + by));
    this.pointAt(next);
    this.intoSight(next);
    return this.tracks[next];
  }

  /** Where the tracks of a key are in sight. */
  readonly spotsOf: SpotsOf = (key) => {
    const wanted = new Set(this.#indices.get(key));
    return wanted.size === 0 ? [] : this.inSight().filter(({ index }) => wanted.has(index));
  };

  inSight(): ReturnType<Places['inSight']> {
    return this.places.inSight(this.scroll?.first() ?? 0, this.room);
  }

  /** The track at a height below the upper edge of what is in sight. */
  trackAt(y: number): Track | undefined {
    const place = Math.floor(y / TRACK_PX);
    const scrolled = place < this.places.held(this.room) ? 0 : (this.scroll?.first() ?? 0);
    return this.tracks[this.places.at(scrolled + place)];
  }

  /** The first track in sight that scrolls, or the very first. */
  first(): number {
    const first = this.scroll?.first() ?? 0;
    return this.places.at(first === 0 ? 0 : first + this.places.held(this.room));
  }

  /** Scrolls so that a track is in sight. */
  intoSight(index: number): void {
    if (this.scroll === null || index < 0) return;
    const { begin, end } = this.places.of(index);
    const first = this.scroll.first();
    const held = this.places.held(this.room);
    if (end <= held || (begin >= first + held && end <= first + this.room)) return;
    this.scroll.element.scrollTop = (begin < first + held ? begin - held : end - this.room) * TRACK_PX;
  }

  px_ns(): number {
    return (this.range.end - this.range.start) / this.width();
  }

  ask<Answer>(question: Question): Promise<Answer> {
    const asked = this.context.ask?.(question) ?? Promise.reject(new Error('a still picture asks nothing'));
    return asked as Promise<Answer>;
  }

  /** What a track shows at a time. */
  async stretchAt(track: string, ts: number): Promise<Stretch | null> {
    const px_ns = this.px_ns();
    return this.extras.has(track)
      ? this.extras.at(track, ts, px_ns)
      : this.ask<Stretch | null>({ kind: 'at', track, ts, px_ns });
  }

  /** Adds a track to those that are open, pinned or tall, or takes it away. */
  toggle(name: string, of: 'open' | 'pinned' | 'tall'): void {
    const given = this.context.params[of];
    const first = this.tracks.find(({ is_open }) => is_open)?.name;
    const now = given === null && of === 'open' ? [first].flatMap((each) => each ?? []) : [...namesIn(given)];
    const next = now.includes(name) ? now.filter((each) => each !== name) : [...now, name];
    this.context.setParams({ [of]: next.length === 0 && of !== 'open' ? null : next.join(' ') });
  }

  /** Orders tracks by what is in view alone, or by all of the trace again. */
  toggleOrder(): void {
    const { context, range } = this;
    const isAll = context.params.order_from === null;
    context.setParams({
      order_from: isAll ? Math.round(range.start) : null,
      order_to: isAll ? Math.round(range.end) : null,
    });
  }
}

/** Lets something be done: what fails, fails since the view is loaded again. */
export function quietly(doing: Promise<unknown>): void {
  void doing.catch(() => undefined);
}
