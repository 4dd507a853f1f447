import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { Selection, TimeRange, ViewContext } from '../../shared/view/index.ts';
import {
  addSection,
  bindGestures,
  drawLegend,
  drawMarks,
  drawShade,
  endAll,
  livePlot,
  makeTooltip,
  paletteOf,
  rangeAround,
  scrollLanes,
  timeScale,
  type End,
} from '../kit/index.ts';
import { drawStretch, drawSums, type OpenIn } from './detail.ts';
import { extraColors } from './extra-classes.ts';
import { detailOf, Extras } from './extras.ts';
import { drawRangeFlame } from './flame-panel.ts';
import { drawChosen, drawTracks, MARGINS, type ShownTrack } from './draw-tracks.ts';
import { MACHINE_CLASSES } from './machine.ts';
import { bindTrackKeys, isTyping } from './keys.ts';
import type { TimelineModel, Track } from './model.ts';
import type { params } from './params.ts';
import { colorsOf, packedColors, Picture, threadColors, TRACK_PX } from './picture.ts';
import type { FlameAnswer, Question, Stretch, SumsAnswer } from './questions.ts';
import { SAMPLE_CLASSES } from './sample-track.ts';
import { keptOf } from './state.ts';
import { Tiles } from './tiles.ts';
import { legendOf } from './words.ts';

type Context = ViewContext<typeof params>;

/** What else than tracks stands on the page, in px, and how few tracks are shown at least. */
const AROUND_PX = 560;
const LEAST_TRACKS = 12;
/** A press that moves less than this is a click, in px. */
const CLICK_PX = 4;
/** A pointer that rests for so long asks what is under it. */
const HOVER_MS = 80;
/** Margin around what is gone to, as a part of its length. */
const ZOOM_MARGIN = 0.4;

/** Tracks that are drawn. */
interface DrawnTracks {
  /** Shows what the extra tracks hold now; says whether there is room for as many as there are. */
  update(): boolean;
  end(): void;
}

/** Draws the tracks, and below them what is chosen. */
export function drawTimeline(container: HTMLElement, model: TimelineModel, context: Context): End {
  const extras = new Extras();
  let drawn: DrawnTracks | null = null;
  const redraw = () => {
    const hadFocus = container.querySelector('.lane-scroll') === container.ownerDocument.activeElement;
    drawn?.end();
    container.replaceChildren();
    drawn = drawTracksOf(container, model, context, extras);
    if (hadFocus) container.querySelector<HTMLElement>('.lane-scroll')?.focus({ preventScroll: true });
  };
  redraw();
  const unfollow = context.onTracks?.((tracks) => {
    extras.take(tracks);
    if (drawn?.update() !== true) redraw();
  });
  return () => {
    unfollow?.();
    drawn?.end();
  };
}

function drawTracksOf(
  container: HTMLElement,
  model: TimelineModel,
  context: Context,
  extras: Extras,
): DrawnTracks {
  const { origin_ns } = model;
  let tracks = extras.among(model.tracks, context.params);
  const page = addSection(container, 'timeline');
  const panel = addSection(page, 'panel timeline-tracks');
  const palette = paletteOf(page);
  for (const entries of legendOf(palette, model)) drawLegend(panel, entries);
  const below = addSection(page, 'timeline-below');
  const spoken = addSection(page, 'screen-reader-only');
  spoken.ariaLive = 'polite';
  const tooltip = makeTooltip(page);

  const kept = keptOf(context.trace);
  const ask = (question: Question): Promise<unknown> =>
    context.ask?.(question) ?? Promise.reject(new Error('a still picture asks nothing'));
  if (kept.tiles?.judged !== model.judged)
    kept.tiles = { judged: model.judged, of: new Tiles(ask, context.trace.range, model.judged !== null) };
  const tiles = kept.tiles.of;

  const room = Math.max(LEAST_TRACKS, Math.floor((innerHeight - AROUND_PX) / TRACK_PX));
  const count = Math.max(1, Math.min(room, tracks.length));
  const height_px = MARGINS.top + MARGINS.bottom + count * TRACK_PX;
  const scroll = scrollLanes(panel, 'timeline', {
    hidden: tracks.length - count,
    row_px: TRACK_PX,
    height_px,
  });
  scroll.element.ariaLabel = 'Tracks: arrow keys go through them, Enter chooses';
  let placeOf = new Map(tracks.map(({ key }, place) => [key, place]));
  const threads = threadColors(palette);
  const colors = {
    machine: colorsOf(palette, MACHINE_CLASSES),
    samples: colorsOf(palette, SAMPLE_CLASSES),
    items: packedColors(extraColors(palette)),
    cpu: colorsOf(palette, model.cpu_classes),
    process: threads,
    thread: threads,
    extra: packedColors(extraColors(palette)),
  };
  const picture = new Picture();

  let range = context.range;
  let dragged: TimeRange | null = null;
  let { span } = context.selection;
  let marks: Parameters<typeof drawMarks>[2] = [];

  const seen = (): readonly Track[] => tracks.slice(scroll.first(), scroll.first() + count);
  const plot = livePlot(
    scroll.element,
    'What CPUs and threads did over time; T shows the same as tables',
    MARGINS,
    (area) => {
      const shown = seen();
      const width = Math.round(area.width);
      const tilesOf = (key: string) =>
        extras.has(key) ? { near: extras.tile(key, range, width), whole: undefined } : tiles.of(key);
      const drawn = shown.map((track): ShownTrack => ({
        track,
        tiles: tilesOf(track.key),
        colors: colors[track.kind],
      }));
      drawTracks(area, picture, drawn, range, { origin_ns, cursor: kept.cursor });
      const keys = shown.map(({ key }) => key).filter((key) => !extras.has(key));
      panel.ariaBusy = String(!tiles.want(range, width, keys));
    },
    (area) => {
      if (span !== null) drawShade(area, range, span);
      if (dragged !== null) drawShade(area, range, dragged);
      drawMarks(area, range, marks);
      if (kept.chosen === null) return;
      const inSight = (key: string) => {
        const place = (placeOf.get(key) ?? -1) - scroll.first();
        return place < 0 || place >= count ? -1 : place;
      };
      const { track, wake } = kept.chosen;
      drawChosen(
        area,
        range,
        kept.chosen,
        inSight(track),
        wake === null ? -1 : inSight(`t${wake.waker_utid}`),
      );
    },
  );
  plot.element.style.height = `${height_px}px`;
  tiles.onChange = () => plot.redraw();
  tiles.onSettled = () => (panel.ariaBusy = 'false');

  let undrawBelow: End = () => undefined;
  const showBelow = (draw: () => End) => {
    undrawBelow();
    below.replaceChildren();
    undrawBelow = draw();
  };
  const say = (text: string) => (spoken.textContent = text);

  const showChosen = (stretch: Stretch) =>
    showBelow(() => drawStretch(below, stretch, origin_ns, opensFor(stretch, context)));
  const choose = (stretch: Stretch | null) => {
    if (stretch === null) return;
    kept.chosen = stretch;
    kept.covered = null;
    kept.cursor = stretch.track;
    context.select(detailOf(stretch)?.selection ?? selectionOf(stretch));
    say(`${stretch.title}, ${formatDuration(stretch.te - stretch.ts)}`);
    showChosen(stretch);
    plot.redraw();
  };
  const px_ns = () => (range.end - range.start) / (plot.current()?.width ?? 1);
  const stretchAt = async (track: string, ts: number): Promise<Stretch | null> =>
    extras.has(track)
      ? extras.at(track, ts, px_ns())
      : ((await ask({ kind: 'at', track, ts, px_ns: px_ns() })) as Stretch | null);
  const chooseAt = async (track: string, ts: number): Promise<void> => choose(await stretchAt(track, ts));
  const isSampled = tracks.some(({ kind }) => kind === 'samples');
  const showSums = async (covered: TimeRange): Promise<void> => {
    const wanted = tracks.filter(({ is_pinned }) => is_pinned).map(({ key }) => key);
    const [sums, flame] = await Promise.all([
      ask({ kind: 'sums', ...covered, tracks: wanted }) as Promise<SumsAnswer>,
      isSampled ? (ask({ kind: 'flame', ...covered, tracks: wanted }) as Promise<FlameAnswer>) : null,
    ]);
    kept.covered = covered;
    const openSamples = () => {
      context.zoomTo(covered);
      context.openView('cpu-sampled', {});
    };
    const more = { title: 'CPU usage, sampled', open: openSamples };
    showBelow(() =>
      endAll([
        drawSums(below, sums, origin_ns),
        ...(flame === null ? [] : [drawRangeFlame(below, flame, more)]),
      ]),
    );
  };
  /** What fails, fails since the view is loaded again. */
  const quietly = (doing: Promise<unknown>) => void doing.catch(() => undefined);

  const pointAt = ({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>) => {
    const area = plot.current();
    if (area === null) return null;
    const box = plot.element.getBoundingClientRect();
    const x = clientX - box.left - MARGINS.left;
    const place = Math.floor((clientY - box.top - MARGINS.top) / TRACK_PX);
    const track = seen()[place];
    if (track === undefined || place < 0 || x > area.width) return null;
    return { track, x, ts: timeScale(range, area.width).invert(x) };
  };

  const toggle = (name: string, of: 'open' | 'pinned') => {
    const given = context.params[of];
    const first = tracks.find(({ is_open }) => is_open)?.name;
    const now = given?.split(' ').filter(Boolean) ?? (of === 'open' && first !== undefined ? [first] : []);
    const next = now.includes(name) ? now.filter((each) => each !== name) : [...now, name];
    context.setParams({ [of]: next.length === 0 && of === 'pinned' ? null : next.join(' ') });
  };

  const bound = new AbortController();
  const options = { signal: bound.signal };
  let pressedAt = 0;
  let pointer: PointerEvent | null = null;
  let hover: ReturnType<typeof setTimeout> | undefined;
  const { element } = plot;
  element.addEventListener('pointerdown', (event) => (pressedAt = event.clientX), options);
  element.addEventListener(
    'pointermove',
    (event) => {
      pointer = event;
      tooltip.hide();
      clearTimeout(hover);
      const point = event.buttons === 0 ? pointAt(event) : null;
      element.style.cursor = point !== null && point.x < 0 ? 'pointer' : 'crosshair';
      if (point === null) return;
      if (point.x < 0) {
        tooltip.show(event, trackLines(point.track));
        return;
      }
      hover = setTimeout(
        () =>
          quietly(
            stretchAt(point.track.key, point.ts).then((stretch) => {
              if (pointer !== event) return;
              tooltip.show(
                event,
                stretch === null ? trackLines(point.track) : stretchLines(stretch, origin_ns),
              );
            }),
          ),
        HOVER_MS,
      );
    },
    options,
  );
  element.addEventListener(
    'pointerleave',
    () => {
      pointer = null;
      clearTimeout(hover);
      tooltip.hide();
    },
    options,
  );
  element.addEventListener(
    'click',
    (event) => {
      const point = pointAt(event);
      if (point === null || Math.abs(event.clientX - pressedAt) >= CLICK_PX) return;
      if (event.shiftKey) {
        const ts = Math.round(point.ts);
        context.toggleMark?.({ ts, label: formatTime(ts, context.trace.range.start) });
        return;
      }
      kept.cursor = point.track.key;
      plot.redraw();
      if (point.x < 0 || point.track.kind === 'process') {
        if (point.track.kind === 'process') toggle(point.track.name, 'open');
      } else quietly(chooseAt(point.track.key, point.ts));
    },
    options,
  );

  const ends: End[] = [
    () => bound.abort(),
    () => clearTimeout(hover),
    () => undrawBelow(),
    context.onRange?.((next) => {
      range = next;
      plot.redraw();
    }) ?? (() => undefined),
    context.onSelection?.((selection, allMarks) => {
      span = selection.span;
      marks = allMarks;
      plot.redrawOverlay();
    }) ?? (() => undefined),
    scroll.onScroll(() => plot.redraw()),
    bindGestures({
      element,
      area: () => ({ left: MARGINS.left, width: plot.current()?.width ?? 1 }),
      range: () => range,
      bounds: () => context.trace.range,
      zoomTo: (next) => context.zoomTo(next),
      onDrag: (next) => {
        dragged = next;
        plot.redrawOverlay();
      },
      cover: (covered) => {
        const rounded = { start: Math.round(covered.start), end: Math.round(covered.end) };
        context.select({ ...context.selection, span: rounded });
        quietly(showSums(rounded));
      },
      wheel: 'scrolls',
    }),
    bindTrackKeys(page.ownerDocument, {
      isActive: (event) => !isTyping(event),
      zoomAtPointer: (factor) => {
        const point = pointer === null ? null : pointAt(pointer);
        if (point === null || point.x < 0) return false;
        const { start, end } = range;
        const at = point.ts;
        context.zoomTo({ start: at - (at - start) * factor, end: at + (end - at) * factor });
        return true;
      },
      move: (by) => {
        const from = placeOf.get(kept.cursor ?? '') ?? scroll.first() - Math.sign(by);
        const next = tracks[Math.min(tracks.length - 1, Math.max(0, from + by))];
        if (next === undefined) return;
        kept.cursor = next.key;
        intoSight(scroll.element, placeOf.get(next.key) ?? 0, scroll.first(), count);
        say(trackLines(next).join(', '));
        plot.redraw();
      },
      enter: () => {
        const track = tracks[placeOf.get(kept.cursor ?? '') ?? -1];
        if (track === undefined) return;
        if (track.kind === 'process') toggle(track.name, 'open');
        else if (track.kind === 'extra') goTo(extras.next(track.key, range.start));
        else if (hasGaps(track)) goToNext(track.key, range.start, 1);
        else quietly(chooseAt(track.key, (range.start + range.end) / 2));
      },
      beside: (step) => {
        const { chosen } = kept;
        if (chosen === null) return;
        if (extras.has(chosen.track)) {
          goTo(extras.beside(chosen, step));
          return;
        }
        if (tracks.some((track) => track.key === chosen.track && hasGaps(track))) {
          goToNext(chosen.track, chosen.ts, step);
          return;
        }
        const at = step > 0 ? chosen.te : chosen.ts - 1;
        quietly(
          chooseAt(chosen.track, at).then(() => {
            if (kept.chosen !== null) keepInSight(kept.chosen);
          }),
        );
      },
      chain: (step) => {
        const { chosen } = kept;
        if (step > 0) {
          const back = kept.trail.pop();
          if (back !== undefined) goToStretch(back);
          else if (chosen?.thread) {
            const { ts, te, thread } = chosen;
            quietly(
              ask({ kind: 'woken', utid: thread.utid, start: ts, end: te }).then((answer) => {
                if (answer !== null) goToStretch(answer as Stretch);
              }),
            );
          }
        } else if (chosen?.wake) {
          const { waker_utid, ts } = chosen.wake;
          kept.trail.push(chosen);
          quietly(
            ask({ kind: 'at', track: `t${waker_utid}`, ts: ts - 1, px_ns: 0 }).then((answer) => {
              if (answer !== null) goToStretch(answer as Stretch);
            }),
          );
        }
      },
      pin: () => {
        const track = tracks[placeOf.get(kept.cursor ?? '') ?? -1];
        if (track !== undefined) toggle(track.name, 'pinned');
      },
      order: () => {
        const isAll = context.params.order_from === null;
        context.setParams({
          order_from: isAll ? Math.round(range.start) : null,
          order_to: isAll ? Math.round(range.end) : null,
        });
      },
    }),
    () => plot.end(),
  ];

  /** What a track did at the beginning of a span; in its middle where that lasted longer, such as the run after a wait. */
  async function mostOf(track: string, { start, end }: TimeRange): Promise<Stretch | null> {
    const first = await stretchAt(track, start);
    if (first === null || first.te - first.ts >= (end - start) / 2) return first;
    const middle = await stretchAt(track, (start + end) / 2);
    return middle !== null && middle.te - middle.ts > first.te - first.ts ? middle : first;
  }

  /** Goes on to a thread whose track may not be there: then it is pinned. */
  function goToStretch(stretch: Stretch): void {
    choose(stretch);
    keepInSight(stretch);
    if (!placeOf.has(stretch.track) && stretch.thread !== null) toggle(`t${stretch.thread.tid}`, 'pinned');
  }

  function goTo(stretch: Stretch | null): void {
    if (stretch === null) return;
    choose(stretch);
    keepInSight(stretch);
  }

  function goToNext(track: string, ts: number, step: -1 | 1): void {
    quietly(ask({ kind: 'next', track, ts, step }).then((answer) => goTo(answer as Stretch | null)));
  }

  function keepInSight(stretch: Stretch): void {
    const place = placeOf.get(stretch.track);
    if (place !== undefined) intoSight(scroll.element, place, scroll.first(), count);
    if (stretch.te < range.start || stretch.ts > range.end)
      context.zoomTo(rangeAround({ start: stretch.ts, end: stretch.te }, context.trace.range, ZOOM_MARGIN));
  }

  // Who comes from another view has chosen something there.
  const { thread, span: chosenSpan } = context.selection;
  const isKept = kept.chosen !== null && kept.chosen.ts === chosenSpan?.start;
  const wanted = thread === null || isKept ? undefined : tracks.find(({ tid }) => tid === thread.tid);
  if (wanted !== undefined && chosenSpan !== null) {
    quietly(
      mostOf(wanted.key, chosenSpan).then((answer) => {
        if (answer === null) return;
        kept.chosen = answer;
        kept.cursor = wanted.key;
        showChosen(answer);
        plot.redraw();
      }),
    );
  } else if (kept.covered !== null) quietly(showSums(kept.covered));
  else if (kept.chosen !== null) showChosen(kept.chosen);
  return {
    update: () => {
      const before = tracks.length;
      tracks = extras.among(model.tracks, context.params);
      placeOf = new Map(tracks.map(({ key }, place) => [key, place]));
      if (tracks.length !== before) return false;
      plot.redraw();
      return true;
    },
    end: endAll(ends),
  };
}

/** Whether a track shows what happens now and then: threads and CPUs do something at any time. */
function hasGaps({ kind }: Track): boolean {
  return kind === 'machine' || kind === 'samples' || kind === 'items';
}

/** Scrolls so that a track is in sight. */
function intoSight(element: HTMLElement, place: number, first: number, count: number): void {
  if (place >= first && place < first + count) return;
  element.scrollTop = (place < first ? place : place - count + 1) * TRACK_PX;
}

function selectionOf({ ts, te, thread, pid }: Stretch): Selection {
  return {
    span: { start: Math.round(ts), end: Math.round(te) },
    thread: thread === null ? null : { tid: thread.tid, ts: Math.round(ts) },
    pid,
  };
}

function trackLines(track: Track): readonly string[] {
  const { label, aside, process, kind, sums } = track;
  const name = aside === '' ? label : `${label}, ${aside}`;
  if (hasGaps(track) || kind === 'extra') return [name];
  if (kind === 'cpu') return [name, `busy for ${formatDuration(sums.running_ns)}`];
  return [
    name,
    ...(kind === 'thread' && process !== null ? [process] : []),
    `ran for ${formatDuration(sums.running_ns)}`,
    `ready for ${formatDuration(sums.ready_ns)}`,
    `blocked for ${formatDuration(sums.blocked_ns)}`,
  ];
}

function stretchLines({ title, ts, te, facts }: Stretch, origin_ns: number): readonly string[] {
  return [
    title,
    `${formatTime(ts, origin_ns)}, for ${formatDuration(te - ts)}`,
    ...facts.map(([name, value]) => `${name}: ${value}`),
  ];
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
