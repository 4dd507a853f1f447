/** What a page is made of. A page is data: `window-page.ts` draws it in a window, `still-of-page.ts` as one SVG. */
import type { MarkedEvent, Selection, TimeRange, ViewTable } from '../../shared/view/index.ts';
import type { LaneChart } from './lane-chart.ts';
import type { LegendEntry } from './legend.ts';
import type { Palette } from './palette.ts';
import type { Margins, Plot } from './plot.ts';
import type { PlotPoint } from './time-plot.ts';
import type { StillPage } from './still-page.ts';

/** Blocks from the top down. A block that is not there leaves its place, by which the others are known when the page changes. */
export type Page = readonly (Block | null)[];

/** What a pointer finds in a picture. */
export interface Hit {
  /** The tooltip; the first line stands out. */
  readonly lines: readonly string[];
  /** What a click on it does; nothing where this is left out. */
  readonly choose?: (() => void) | undefined;
  /** What it is marked as; the time under the pointer where this is left out. */
  readonly mark?: MarkedEvent;
}

/** What a time plot does with a {@link Hit}. */
export const HIT_EVENTS = {
  lines: (hit: Hit) => hit.lines,
  chooses: (hit: Hit) => hit.choose !== undefined,
  choose: (hit: Hit) => hit.choose?.(),
  mark: (hit: Hit) => hit.mark,
};

/** What the axes of a picture reach: pictures of one frame can be laid over one another. */
export interface Frame {
  /** The highest value. */
  readonly most: number;
  /** The shortest and the longest duration across, where the picture does not lie over time. */
  readonly from_ns?: number;
  readonly to_ns?: number;
}

/** A picture: the same object draws it in a window and in a still. */
export interface Picture {
  /** Names it for screen readers, and says where the same facts are as a table. */
  readonly label: string;
  /** Whether it lies over time: then it follows the range in view, and takes gestures. */
  readonly timed: boolean;
  readonly height_px: number;
  /** Its height in a still, where that is another. */
  readonly still_px?: number;
  readonly margins: Margins;
  /** The range that it shows while another is in view, where it does not follow that everywhere. */
  rangeOf?(inView: TimeRange): TimeRange;
  legend?(palette: Palette): readonly LegendEntry[];
  /** The frame of a picture whose marks stand on its lower edge: another recording's can be laid over it as an outline. */
  readonly frame?: Frame;
  /** Draws it; in a frame that reaches further than its own, where one is given. */
  draw(plot: Plot, range: TimeRange, frame?: Frame): void;
  at?(point: PlotPoint): Hit | null;
  /** Of a picture that does not lie over time: what a drag across it does, with its ends in px from the left. */
  cover?(from: PlotPoint, to: PlotPoint, hasShift: boolean): void;
  /** Whether the chosen span is shaded in it; it is unless this says no. */
  shades?(span: TimeRange): boolean;
}

/** Named lanes over time; see {@link LaneChart}. */
export interface Lanes {
  readonly label: string;
  readonly chart: LaneChart;
  /** What the chart is in a still, where that has fewer lanes. */
  readonly still_chart?: LaneChart;
  /** The range that a still shows, where that is not the one in view. */
  readonly still_range?: TimeRange;
  /** A higher chart scrolls within so many px; left out, all lanes are shown. */
  readonly most_px?: number;
  at(lane: number, point: PlotPoint): Hit | null;
}

/** A table and what its rows do. */
export interface Table {
  readonly table: ViewTable;
  /** Names of columns that the window has no room for. */
  readonly hidden?: readonly string[];
  /** The row that is chosen; where it follows the selection, a function of it. */
  readonly chosen?: number | null | ((selection: Selection) => number | null);
  /** What the choice of a row does. Without it rows cannot be chosen. */
  readonly choose?: (row: number) => void;
  /** False where rows are not marked, and the table does not follow the selection. */
  readonly follows?: boolean;
  /** By this name the reader's place is kept, where tables take turns under one title. */
  readonly name?: string;
}

/** A line that only a still has: what a window shows as a table. */
export interface StillLine {
  readonly text: string;
  readonly isMuted?: boolean;
  readonly size?: number;
  /** Space below, in px. */
  readonly gap?: number;
}

/** A button; disabled where it does nothing. */
export interface Button {
  readonly label: string;
  readonly press: ((button: HTMLButtonElement) => void) | null;
}

/** What stands around the blocks of a panel. */
export interface PanelOptions {
  /** In small print behind the title. */
  readonly aside?: string;
  readonly className?: string;
  /** The height of its tables, in px; longer ones scroll. */
  readonly table_px?: number;
  /** False where a still does not name the panel. */
  readonly isNamedInStill?: boolean;
}

/** A part of a page. */
export type Block =
  | { readonly kind: 'notes'; readonly notes: readonly string[] }
  | { readonly kind: 'empty'; readonly title: string; readonly text: string }
  | { readonly kind: 'figures'; readonly figures: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'answer'; readonly sentences: readonly string[] }
  | { readonly kind: 'remarks'; readonly lines: readonly string[] }
  | { readonly kind: 'buttons'; readonly buttons: readonly Button[] }
  | {
      readonly kind: 'panel';
      readonly title: string;
      readonly options: PanelOptions;
      readonly blocks: Page;
    }
  | { readonly kind: 'row'; readonly table_px: number; readonly first: number; readonly blocks: Page }
  | ({ readonly kind: 'picture' } & Picture)
  | ({ readonly kind: 'lanes' } & Lanes)
  | ({ readonly kind: 'table' } & Table)
  | { readonly kind: 'still-lines'; readonly lines: readonly StillLine[] }
  /** What follows the selection, without a load. */
  | { readonly kind: 'chosen'; readonly of: (selection: Selection) => Page }
  /** What shows the detail of the view, each time that it changes. */
  | { readonly kind: 'detail'; readonly of: (detail: unknown) => Page }
  /** Elements of the view's own: they are made anew with each page. */
  | {
      readonly kind: 'own';
      readonly mount: (parent: HTMLElement) => () => void;
      readonly still?: (page: StillPage) => void;
    };

/** What the view cannot know. */
export const notes = (lines: readonly string[]): Block => ({ kind: 'notes', notes: lines });

/** What stands in for a picture that has nothing to show. */
export const empty = (title: string, text: string): Block => ({ kind: 'empty', title, text });

/** Named numbers in a row. */
export const figures = (named: readonly (readonly [string, string])[]): Block => ({
  kind: 'figures',
  figures: named,
});

/** What the view found, in sentences. The first sentence stands out. */
export const answer = (sentences: readonly string[]): Block => ({ kind: 'answer', sentences });

/** Lines in small print. */
export const remarks = (lines: readonly string[]): Block => ({ kind: 'remarks', lines });

/** Buttons in a row; a still has none. */
export const buttons = (row: readonly Button[]): Block => ({ kind: 'buttons', buttons: row });

/** A panel with a heading. */
export const panel = (title: string, aside: string, blocks: Page, options: PanelOptions = {}): Block => ({
  kind: 'panel',
  title,
  options: { aside, ...options },
  blocks,
});

/** Panels side by side. Tables are at most `table_px` high. As the window grows, the first panel grows `first` times as fast. */
export const row = (table_px: number, first: number, blocks: Page): Block => ({
  kind: 'row',
  table_px,
  first,
  blocks,
});

/** A picture over time. */
export const timePicture = (picture: Omit<Picture, 'timed'>): Block => ({
  kind: 'picture',
  timed: true,
  ...picture,
});

/** A picture that does not lie over time. */
export const picture = (shown: Omit<Picture, 'timed'>): Block => ({
  kind: 'picture',
  timed: false,
  ...shown,
});

/** Named lanes over time. */
export const lanes = (shown: Lanes): Block => ({ kind: 'lanes', ...shown });

/** A table. */
export const table = (shown: ViewTable, options: Omit<Table, 'table'> = {}): Block => ({
  kind: 'table',
  table: shown,
  ...options,
});

/** What a still says in words where a window has a table. */
export const stillLines = (lines: readonly StillLine[]): Block => ({ kind: 'still-lines', lines });

/** What follows the selection without a load; a still has none of it. */
export const chosen = (of: (selection: Selection) => Page): Block => ({ kind: 'chosen', of });

/** What shows the view's detail; nothing where nothing is chosen. */
export const detail = (of: (detail: unknown) => Page): Block => ({ kind: 'detail', of });

/** Elements of the view's own in a window, and what a still has of them. */
export const own = (
  mount: (parent: HTMLElement) => () => void,
  still?: (page: StillPage) => void,
): Block => ({ kind: 'own', mount, ...(still && { still }) });
