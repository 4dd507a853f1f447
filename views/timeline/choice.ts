import { formatDuration } from '../../shared/model/index.ts';
import type { Selection, TimeRange } from '../../shared/view/index.ts';
import { endAll, rangeAround, type End } from '../kit/index.ts';
import { quietly, type Board, type Context } from './board.ts';
import { drawStretch, drawSums, type OpenIn } from './detail.ts';
import { detailOf } from './extras.ts';
import { drawRangeFlame } from './flame-panel.ts';
import type { FlameAnswer, Stretch, SumsAnswer, WokenAnswer } from './questions.ts';
import { coverWords, hasGaps, noWakerWords, wokenWords } from './track-words.ts';

/** Margin around what is gone to, as a part of its length. */
const ZOOM_MARGIN = 0.4;

/** Has a text read out, and shown too where nothing else shows it. */
export type Say = (text: string, isShown?: boolean) => void;

/** What is chosen: a stretch of a track, or a range; and what is shown of it below the tracks. */
export class Choice {
  readonly #board: Board;
  readonly #below: HTMLElement;
  readonly #say: Say;
  readonly #redraw: () => void;
  #undraw: End = () => undefined;

  /** @param below where it is shown. @param say tells it to who does not see it. */
  constructor(board: Board, below: HTMLElement, say: Say, redraw: () => void) {
    this.#board = board;
    this.#below = below;
    this.#say = say;
    this.#redraw = redraw;
  }

  /** Shows what is chosen already: in this window before, or in a link or another view. */
  begin(): void {
    const { kept, context } = this.#board;
    const { thread, span } = context.selection;
    const { chosen, covered } = kept;
    if (chosen !== null && chosen.stretch.ts === span?.start) this.#show(chosen.stretch, chosen.woken);
    else if (covered !== null && covered.start === span?.start) quietly(this.cover(covered));
    else if (span === null || span.end <= span.start) return;
    else if (thread === null) quietly(this.cover(span));
    else
      quietly(
        this.#board.ask<Stretch | null>({ kind: 'thread', tid: thread.tid, ...span }).then((stretch) => {
          if (stretch === null) return;
          this.#take(stretch);
          this.#intoSight(stretch);
        }),
      );
  }

  choose(stretch: Stretch | null): void {
    if (stretch === null) return;
    this.#board.context.select(detailOf(stretch)?.selection ?? selectionOf(stretch));
    this.#say(`${stretch.title}, ${formatDuration(stretch.te - stretch.ts)}`, false);
    this.#take(stretch);
  }

  async chooseAt(track: string, ts: number): Promise<void> {
    this.choose(await this.#board.stretchAt(track, ts));
  }

  /** Chooses a stretch, and brings its track and its time into sight. */
  goTo(stretch: Stretch | null): void {
    if (stretch === null) return;
    this.choose(stretch);
    this.#intoSight(stretch);
  }

  /** Goes to what a track that has gaps shows next. */
  goToNext(track: string, ts: number, step: -1 | 1): void {
    quietly(
      this.#board.ask<Stretch | null>({ kind: 'next', track, ts, step }).then((next) => this.goTo(next)),
    );
  }

  /** Goes to what the track of the chosen stretch did before or after. */
  beside(step: -1 | 1): void {
    const { kept, extras, tracks } = this.#board;
    if (kept.chosen === null) return;
    const { stretch } = kept.chosen;
    if (extras.has(stretch.track)) this.goTo(extras.beside(stretch, step));
    else if (tracks.some((track) => track.key === stretch.track && hasGaps(track)))
      this.goToNext(stretch.track, stretch.ts, step);
    else {
      const at = step > 0 ? stretch.te : stretch.ts - 1;
      quietly(this.#board.stretchAt(stretch.track, at).then((next) => this.goTo(next)));
    }
  }

  /** Goes to who woke the chosen thread; or back from there, or else to whom it woke. */
  chain(step: -1 | 1): void {
    const { kept } = this.#board;
    const stretch = kept.chosen?.stretch;
    if (stretch === undefined) {
      this.#say('Choose what a thread did first.');
      return;
    }
    const back = step > 0 ? kept.trail.pop() : undefined;
    if (back !== undefined) this.#goAlong(back);
    else if (step > 0) this.#goToWoken(stretch);
    else this.#goToWaker(stretch);
  }

  /** Shows what a range holds. */
  async cover(covered: TimeRange): Promise<void> {
    const { tracks, context, kept, model } = this.#board;
    const pinned = tracks.filter(({ is_pinned }) => is_pinned).map(({ key }) => key);
    const isSampled = tracks.some(({ kind }) => kind === 'samples');
    const asked = { ...covered, tracks: pinned, judged: model.judged !== null };
    const [sums, flame] = await Promise.all([
      this.#board.ask<SumsAnswer>({ kind: 'sums', ...asked }),
      isSampled ? this.#board.ask<FlameAnswer>({ kind: 'flame', ...asked }) : null,
    ]);
    kept.covered = covered;
    kept.chosen = null;
    const words = coverWords(covered, tracks, model.origin_ns);
    const openSamples = () => {
      context.zoomTo(covered);
      context.openView('cpu-sampled', {});
    };
    const more = { title: 'CPU usage, sampled', open: openSamples };
    this.#showBelow(() =>
      endAll([
        drawSums(this.#below, words, sums, model.origin_ns),
        ...(flame === null ? [] : [drawRangeFlame(this.#below, flame, more)]),
      ]),
    );
    this.#say(`${words.title}. ${words.text}`, false);
    this.#redraw();
  }

  /** Shows nothing as chosen any more. */
  drop(): void {
    const { kept } = this.#board;
    kept.chosen = null;
    kept.covered = null;
    this.#showBelow(() => () => undefined);
  }

  end(): void {
    this.#undraw();
  }

  #goToWaker(stretch: Stretch): void {
    if (stretch.wake === null) {
      this.#say(noWakerWords(stretch));
      return;
    }
    const { waker_utid, ts } = stretch.wake;
    quietly(
      this.#board.stretchAt(`t${waker_utid}`, ts - 1).then((found) => {
        if (found === null) {
          this.#say('Nothing is known of who woke the thread.');
          return;
        }
        this.#board.kept.trail.push(stretch);
        this.#goAlong(found);
      }),
    );
  }

  #goToWoken({ thread, ts, also }: Stretch): void {
    if (thread === null) {
      this.#say('Choose what a thread did first.');
      return;
    }
    quietly(
      this.#board.ask<Stretch | null>({ kind: 'woken', utid: thread.utid, ts }).then((found) => {
        // Only a run stands on other tracks too.
        const run = also.length > 0 ? 'that run' : 'the run after that';
        if (found === null) this.#say(`${thread.label} woke no thread in ${run}.`);
        else this.#goAlong(found);
      }),
    );
  }

  /** Goes on to a thread whose track may not be there: then it is pinned. */
  #goAlong(stretch: Stretch): void {
    this.goTo(stretch);
    if (this.#board.has(stretch.track) || stretch.thread === null) return;
    this.#board.kept.unsaid = `The track of ${stretch.thread.label} is pinned now: ${stretch.title}`;
    this.#board.toggle(`t${stretch.thread.tid}`, 'pinned');
  }

  #take(stretch: Stretch): void {
    const { kept } = this.#board;
    kept.chosen = { stretch, woken: null };
    kept.covered = null;
    this.#board.pointTo(stretch.track);
    this.#show(stretch, null);
    const { thread, ts, te } = stretch;
    if (thread === null || stretch.also.length === 0) return;
    quietly(
      this.#board.ask<WokenAnswer>({ kind: 'wakes', utid: thread.utid, start: ts, end: te }).then((woken) => {
        if (kept.chosen?.stretch !== stretch || woken.count === 0) return;
        kept.chosen = { stretch, woken };
        this.#show(stretch, woken);
      }),
    );
  }

  #show(stretch: Stretch, woken: WokenAnswer | null): void {
    const facts = woken === null ? [] : [['Woke', wokenWords(woken)] as const];
    const told = { ...stretch, facts: [...stretch.facts, ...facts] };
    const { model, context } = this.#board;
    this.#showBelow(() => drawStretch(this.#below, told, model.origin_ns, opensFor(stretch, context)));
    this.#redraw();
  }

  #intoSight({ track, ts, te }: Stretch): void {
    const { range, context } = this.#board;
    this.#board.intoSight(this.#board.has(track) ? this.#board.cursor : -1);
    if (te < range.start || ts > range.end)
      context.zoomTo(rangeAround({ start: ts, end: te }, context.trace.range, ZOOM_MARGIN));
  }

  #showBelow(draw: () => End): void {
    this.#undraw();
    this.#below.replaceChildren();
    this.#undraw = draw();
  }
}

function selectionOf({ ts, te, thread, pid }: Stretch): Selection {
  return {
    span: { start: Math.round(ts), end: Math.round(te) },
    thread: thread === null ? null : { tid: thread.tid, ts: Math.round(ts) },
    pid,
  };
}

/** The views that know more of a stretch. */
function opensFor(stretch: Stretch, context: Context): readonly OpenIn[] {
  const { thread } = stretch;
  const more = detailOf(stretch)?.open;
  if (more) return [{ title: more.title, open: more.run }];
  const open = (title: string, view: string, params: Readonly<Record<string, unknown>>): OpenIn => ({
    title: `Open in ${title}`,
    open: () => context.openView(view, params),
  });
  if (stretch.open !== undefined) {
    const { title, view, params } = stretch.open;
    return [open(title, view, params)];
  }
  if (thread === null) return [];
  const isReady = stretch.facts.some(([name]) => name === 'Became ready');
  return [
    isReady
      ? open('Ready latency', 'ready-latency', { wait_ts: stretch.ts, wait_tid: thread.tid })
      : open('Ready latency', 'ready-latency', { thread: String(thread.tid) }),
    open('Wake chain', 'wake-chain', {}),
    open('Rank history', 'rank-history', {}),
  ];
}
