import * as d3 from 'd3';
import type { ParamSpecs, Selection, TimeRange, ViewContext } from '../../shared/view/index.ts';
import { HIT_EVENTS, type Block, type Hit, type Page, type Picture } from './blocks.ts';
import { mountTable, type TableOptions } from './data-table.ts';
import { DRAG_PX } from './gestures.ts';
import { mountLanes } from './lane-chart.ts';
import { drawLegend } from './legend.ts';
import { withoutColumns } from './make-table.ts';
import type { End } from './page.ts';
import { paletteOf } from './palette.ts';
import { livePlot } from './plot.ts';
import { drawBand } from './shade.ts';
import { timePlot, type PlotPoint, type TimeContext } from './time-plot.ts';
import { makeTooltip, type Tooltip } from './tooltip.ts';

/** What a page in a window needs of a view's context. */
export type WindowContext = TimeContext & Pick<ViewContext<ParamSpecs>, 'onDetail'>;

/** Where the blocks of one page are drawn. */
export interface WindowPlace {
  /** What the page is called: by it a reader who comes back finds the place in each table. */
  readonly name: string;
  /** Times count from here, in ns. */
  readonly origin_ns: number;
  readonly context: WindowContext;
}

/** A block in a window. */
interface Mounted<B extends Block> {
  readonly element: HTMLElement;
  /** Shows another block of the same kind and key in its place. */
  update(block: B): void;
  end(): void;
}

type Of<K extends Block['kind']> = Extract<Block, { kind: K }>;

/** The place, and the tooltip that the pictures of a page share. */
interface Room extends WindowPlace {
  readonly tooltip: Tooltip;
}

/** A page in a window. Another page that has the same blocks takes their places: focus, scroll and drags stay. */
export class WindowPage {
  readonly #blocks: BlockList;

  constructor(parent: HTMLElement, place: WindowPlace) {
    this.#blocks = new BlockList(parent, { ...place, tooltip: makeTooltip(parent) });
  }

  show(page: Page): void {
    this.#blocks.show(page);
  }

  end(): void {
    this.#blocks.show([]);
  }
}

/** Blocks one below the other, each known by its place. */
class BlockList {
  readonly #parent: HTMLElement;
  readonly #room: Room;
  #shown: ({ readonly key: string; readonly mounted: Mounted<Block> } | null)[] = [];

  constructor(parent: HTMLElement, room: Room) {
    this.#parent = parent;
    this.#room = room;
  }

  show(page: Page): void {
    const before = this.#shown;
    this.#shown = Array.from({ length: Math.max(page.length, before.length) }, (_, at) => {
      const [block, last] = [page[at] ?? null, before[at] ?? null];
      if (block !== null && last?.key === keyOf(block)) {
        last.mounted.update(block);
        return last;
      }
      const next = before.slice(at).find((each) => each !== null && each !== last)?.mounted.element ?? null;
      last?.mounted.end();
      last?.mounted.element.remove();
      if (block === null) return null;
      const mounted = mount(this.#parent, block, this.#room);
      if (next !== null) this.#parent.insertBefore(mounted.element, next);
      return { key: keyOf(block), mounted };
    });
  }

  readonly end = (): void => this.show([]);
}

/** Blocks of one key take each other's place. */
function keyOf(block: Block): string {
  switch (block.kind) {
    case 'panel':
      return `panel ${block.options.className ?? ''}`;
    case 'picture':
      return `picture ${String(block.timed)} ${JSON.stringify(block.margins)}`;
    case 'lanes':
      return `lanes ${block.chart.names.length}`;
    case 'table':
      return `table ${block.name ?? block.table.title}`;
    default:
      return block.kind;
  }
}

function mount(parent: HTMLElement, block: Block, room: Room): Mounted<Block> {
  const make = MOUNTS[block.kind] as (element: HTMLElement, block: Block, room: Room) => Mounted<Block>;
  return make(parent, block, room);
}

function child(parent: HTMLElement, name: string, className: string): HTMLElement {
  const element = parent.appendChild(parent.ownerDocument.createElement(name));
  element.className = className;
  return element;
}

/** A block that is filled anew each time. */
function filled<B extends Block>(
  element: HTMLElement,
  block: B,
  fill: (element: HTMLElement, block: B) => void,
): Mounted<B> {
  fill(element, block);
  return { element, update: (next) => fill(element, next), end: () => undefined };
}

const lines = (element: HTMLElement, name: string, texts: readonly string[], className = '') =>
  d3
    .select(element)
    .selectAll(name)
    .data(texts)
    .join(name)
    .attr('class', className === '' ? null : className)
    .text((text) => text);

const MOUNTS: {
  readonly [K in Block['kind']]: (parent: HTMLElement, block: Of<K>, room: Room) => Mounted<Of<K>>;
} = {
  notes: (parent, block) =>
    filled(child(parent, 'ul', 'notes'), block, (element, { notes }) => lines(element, 'li', notes)),
  empty: (parent, block) =>
    filled(child(parent, 'div', 'empty'), block, (element, { title, text }) => {
      lines(element, 'h2', [title]);
      lines(element, 'p', text === '' ? [] : [text]);
    }),
  figures: (parent, block) =>
    filled(child(parent, 'dl', 'stats'), block, (element, { figures }) => {
      element.replaceChildren();
      const items = d3.select(element).selectAll('div').data(figures).join('div');
      items.append('dt').text(([name]) => name);
      items.append('dd').text(([, value]) => value);
    }),
  answer: (parent, block) =>
    filled(child(parent, 'div', 'answer'), block, (element, { sentences }) => lines(element, 'p', sentences)),
  remarks: (parent, block) =>
    filled(child(parent, 'div', 'remarks'), block, (element, block) =>
      lines(element, 'p', block.lines, 'stats-note'),
    ),
  buttons: (parent, block) =>
    filled(child(parent, 'div', 'buttons'), block, (element, { buttons }) =>
      d3
        .select(element)
        .selectAll<HTMLButtonElement, (typeof buttons)[number]>('button')
        .data(buttons)
        .join('button')
        .attr('type', 'button')
        .property('disabled', ({ press }) => press === null)
        .text(({ label }) => label)
        .on('click', (event: MouseEvent, { press }) => press?.(event.currentTarget as HTMLButtonElement)),
    ),
  panel: mountPanel,
  row(parent, block, room) {
    const element = child(parent, 'section', 'panel-row');
    const blocks = new BlockList(element, room);
    const update = (next: Of<'row'>) => {
      element.style.cssText = `--first: ${next.first}; --table-height: ${next.table_px}px`;
      blocks.show(next.blocks);
    };
    update(block);
    return { element, update, end: blocks.end };
  },
  picture: mountPicture,
  lanes(parent, block, room) {
    const element = child(parent, 'div', 'picture');
    const chart = mountLanes(element, block, room.context, room.tooltip);
    return { element, ...chart };
  },
  table(parent, block, room) {
    const optionsOf = ({ table, chosen, choose, follows, name }: Of<'table'>): TableOptions => ({
      origin_ns: room.origin_ns,
      name: `${room.name}/${name ?? table.title}`,
      ...(chosen !== undefined && { chosen }),
      ...(follows !== false && { context: room.context }),
      ...(choose !== undefined && { onChoose: choose }),
    });
    const shownOf = ({ table, hidden }: Of<'table'>) =>
      hidden === undefined ? table : withoutColumns(table, hidden);
    const { element, update, end } = mountTable(parent, shownOf(block), optionsOf(block));
    return { element, update: (next) => update(shownOf(next), optionsOf(next)), end };
  },
  'still-lines': (parent) => ({
    element: child(parent, 'div', 'contents'),
    update: () => undefined,
    end: () => undefined,
  }),
  chosen(parent, block, room) {
    const element = child(parent, 'div', 'contents');
    const blocks = new BlockList(element, room);
    let now = block;
    let selection: Selection = room.context.selection;
    const show = () => blocks.show(now.of(selection));
    const unfollow = room.context.onSelection?.((next) => {
      selection = next;
      show();
    });
    const update = (next: Of<'chosen'>) => {
      now = next;
      show();
    };
    return { element, update, end: endOf(unfollow, blocks.end) };
  },
  detail: mountDetail,
  own(parent, block) {
    const element = child(parent, 'div', 'contents');
    let end = block.mount(element);
    const update = (next: Of<'own'>) => {
      const { activeElement } = parent.ownerDocument;
      const focused = element.contains(activeElement) ? activeElement?.ariaLabel : null;
      end();
      element.replaceChildren();
      end = next.mount(element);
      if (focused === null) return;
      const labelled = [...element.querySelectorAll<HTMLElement>('[aria-label]')];
      labelled.find(({ ariaLabel }) => ariaLabel === focused)?.focus({ preventScroll: true });
    };
    return { element, update, end: () => end() };
  },
};

const endOf =
  (...ends: readonly (End | undefined)[]): End =>
  () => {
    for (const end of ends) end?.();
  };

function mountPanel(parent: HTMLElement, block: Of<'panel'>, room: Room): Mounted<Of<'panel'>> {
  const { className = '' } = block.options;
  const element = child(parent, 'section', className === '' ? 'panel' : `panel ${className}`);
  const header = child(element, 'header', 'section-heading');
  const blocks = new BlockList(element, room);
  const update = ({ title, options, blocks: inside }: Of<'panel'>) => {
    const { aside = '', table_px } = options;
    lines(header, 'h2', [title]);
    lines(header, 'p', aside === '' ? [] : [aside]);
    if (table_px !== undefined) element.style.setProperty('--table-height', `${table_px}px`);
    blocks.show(inside);
  };
  update(block);
  return { element, update, end: blocks.end };
}

/** The detail of the view: it changes by itself, and the page around it does not. */
function mountDetail(parent: HTMLElement, block: Of<'detail'>, room: Room): Mounted<Of<'detail'>> {
  const element = child(parent, 'div', 'contents detail');
  const blocks = new BlockList(element, room);
  let now = block;
  let value: unknown = null;
  let error: string | null = null;
  const show = () => {
    const failed: Block | null = error === null ? null : { kind: 'empty', title: 'Not loaded', text: error };
    blocks.show(value === null ? [failed] : [failed, ...now.of(value)]);
  };
  const unfollow = room.context.onDetail?.((state) => {
    element.classList.toggle('is-stale', state.isStale);
    if (state.value === value && state.error === error) return;
    ({ value, error } = state);
    show();
  });
  const update = (next: Of<'detail'>) => {
    now = next;
    show();
  };
  return { element, update, end: endOf(unfollow, blocks.end) };
}

function mountPicture(parent: HTMLElement, first: Of<'picture'>, room: Room): Mounted<Of<'picture'>> {
  const element = child(parent, 'div', 'picture');
  const legends = child(element, 'div', 'contents');
  let picture: Picture = first;
  const showLegend = () => {
    legends.replaceChildren();
    const entries = picture.legend?.(paletteOf(element)) ?? [];
    if (entries.length > 0) drawLegend(legends, entries);
  };
  showLegend();
  const { redraw, end, plot } = (first.timed ? liveOverTime : liveStill)(element, () => picture, room);
  const fit = () => (plot.style.height = `${picture.height_px}px`);
  fit();
  return {
    element,
    update(next) {
      picture = next;
      plot.querySelector('svg')?.setAttribute('aria-label', picture.label);
      showLegend();
      fit();
      redraw();
    },
    end,
  };
}

/** A plot that is there. */
interface Live {
  readonly plot: HTMLElement;
  readonly redraw: () => void;
  readonly end: () => void;
}

function liveOverTime(element: HTMLElement, now: () => Picture, { context, tooltip }: Room): Live {
  let redraw: () => void = () => undefined;
  const end = timePlot<Hit>(element, context, {
    label: now().label,
    margins: now().margins,
    draw: (plot, range) => now().draw(plot, range),
    rangeOf: (inView) => now().rangeOf?.(inView) ?? inView,
    redrawOn: (again) => {
      redraw = again;
      return () => undefined;
    },
    shades: (span) => now().shades?.(span) !== false,
    events: { tooltip, at: (point) => now().at?.(point) ?? null, ...HIT_EVENTS },
  });
  return { plot: element.lastElementChild as HTMLElement, redraw: () => redraw(), end };
}

const NO_RANGE: TimeRange = { start: 0, end: 1 };

function liveStill(element: HTMLElement, now: () => Picture, { tooltip }: Room): Live {
  const { label, margins } = now();
  /** Where a drag began and how far it is, in px across. */
  let drag: { readonly from: number; to: number } | null = null;
  const live = livePlot(
    element,
    label,
    margins,
    (plot) => now().draw(plot, NO_RANGE),
    (plot) => {
      if (drag !== null) drawBand(plot, drag.from, drag.to);
    },
  );
  const pointOf = (event: MouseEvent): PlotPoint | null => {
    const plot = live.current();
    if (plot === null) return null;
    const box = live.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - margins.left, event.clientY - box.top - margins.top];
    return { x, y, ts: 0, range: NO_RANGE, plot };
  };
  const hitOf = (event: MouseEvent): Hit | null => {
    const point = pointOf(event);
    return (point && now().at?.(point)) ?? null;
  };
  const endDrag = () => {
    if (drag === null) return;
    drag = null;
    live.redrawOverlay();
  };
  let pressed_x = 0;
  const isDrag = (event: MouseEvent) => Math.abs(event.clientX - pressed_x) >= DRAG_PX;
  d3.select(live.element)
    .on('pointerdown', (event: PointerEvent) => {
      const point = pointOf(event);
      pressed_x = event.clientX;
      if (point === null || event.button !== 0 || now().cover === undefined) return;
      drag = { from: point.x, to: point.x };
      live.element.setPointerCapture(event.pointerId);
    })
    .on('pointermove', (event: PointerEvent) => {
      const point = pointOf(event);
      if (drag !== null && point !== null) {
        drag.to = point.x;
        live.redrawOverlay();
      }
      const hit = hitOf(event);
      const otherwise = now().cover === undefined ? 'default' : 'crosshair';
      live.element.style.cursor = hit?.choose === undefined ? otherwise : 'pointer';
      if (hit === null || (drag !== null && isDrag(event))) tooltip.hide();
      else tooltip.show(event, hit.lines);
    })
    .on('pointerup', (event: PointerEvent) => {
      const to = pointOf(event);
      if (drag !== null && to !== null && isDrag(event)) {
        const [left, right] = drag.from < to.x ? [drag.from, to.x] : [to.x, drag.from];
        now().cover?.({ ...to, x: left }, { ...to, x: right }, event.shiftKey);
      }
      endDrag();
    })
    .on('pointercancel', endDrag)
    .on('pointerleave', () => tooltip.hide())
    .on('click', (event: MouseEvent) => {
      if (now().cover === undefined || !isDrag(event)) hitOf(event)?.choose?.();
    });
  return { plot: live.element, redraw: () => live.redraw(), end: () => live.end() };
}
