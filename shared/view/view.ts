import type { Cell, Query } from '../engine/index.ts';
import type { RecordingNeeds } from '../recording/index.ts';
import type { ExtraTrack } from './extra-track.ts';
import type { Mark, MarkedEvent } from './marks.ts';
import type { ParamSpecs, ParamValues } from './params.ts';

/** A stretch of trace time, in ns on the trace clock: `start` inside, `end` outside. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** A thread, by keys that stay the same wherever the trace is loaded. */
export interface ThreadKey {
  readonly tid: number;
  /** Any instant at which this incarnation of the id was alive. */
  readonly ts: number;
}

/** What the user has chosen. Shared by all views, and kept in links. */
export interface Selection {
  /** The span of the chosen event or wait. */
  readonly span: TimeRange | null;
  readonly thread: ThreadKey | null;
  readonly pid: number | null;
}

/** Facts of the loaded trace that every view needs. */
export interface TraceSummary {
  readonly range: TimeRange;
  readonly cpuCount: number;
}

/** What a view loaded of another recording, B, to be shown with that of the first. */
export interface SecondTrace {
  readonly model: unknown;
  readonly trace: TraceSummary;
  readonly range: TimeRange;
  /** By so much its clock is ahead of the first one's where the two meet, in ns. */
  readonly later_ns: number;
  /** A text of B as it reads in A: with the names that processes of B have there, where the user tied them. */
  readonly inA: (text: string) => string;
}

/** What a view is given to draw with, and what it may ask of the app. */
export interface ViewContext<P extends ParamSpecs> {
  readonly trace: TraceSummary;
  readonly range: TimeRange;
  readonly selection: Selection;
  readonly params: ParamValues<P>;
  /** Another recording that is shown with this one; absent where none is. */
  readonly second?: SecondTrace | undefined;
  /** True when a picture is made without a user: draw SVG only, bind no events. */
  readonly still: boolean;
  /**
   * Calls `listener` with each range on the way while the user zooms or pans, before the view is loaded again with the
   * last one; returns what ends that. Absent in stills.
   */
  onRange?(listener: (range: TimeRange) => void): () => void;
  /**
   * Calls `listener` now and with each later choice and change of marks; returns what ends that. Neither loads the view
   * again: what a view draws of them, it draws here. Absent in stills.
   */
  onSelection?(listener: (selection: Selection, marks: readonly Mark[]) => void): () => void;
  /** What was loaded of the chosen thing, for a still; in a window see `onDetail`. */
  readonly detail?: unknown;
  /** Calls `listener` now and each time that the detail of the view changes; returns what ends that. Absent in stills. */
  onDetail?(listener: (state: DetailState) => void): () => void;
  /**
   * Calls `listener` now and with each change of the tracks that are not the view's own: what rules found, and panels of the user. Returns
   * what ends that. Absent in stills.
   */
  onTracks?(listener: (tracks: readonly ExtraTrack[]) => void): () => void;
  /** For a still, those tracks; in a window see `onTracks`. */
  readonly tracks?: readonly ExtraTrack[];
  /** Whether keys that act on the whole page act on this drawing now, where a page has several; absent: they do. */
  takesKeys?(): boolean;
  /** Marks an event, or removes the mark at its time. Absent in stills. */
  toggleMark?(event: MarkedEvent): void;
  zoomTo(range: TimeRange): void;
  select(selection: Selection): void;
  /** Loads this view again with some params changed. */
  setParams(params: Partial<ParamValues<P>>): void;
  /** Opens another view. */
  openView(id: string, params: Readonly<Record<string, unknown>>): void;
  /** Asks {@link View.answer} of this view, where its model was loaded. Fails while the view is loaded again. Absent in stills. */
  ask?(question: unknown): Promise<unknown>;
}

/** A table that a view's model prints as, in the window and on the command line. */
export interface ViewTable {
  readonly title: string;
  readonly columns: readonly ViewColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** One column of a {@link ViewTable}. */
export interface ViewColumn {
  readonly name: string;
  readonly title: string;
  /** One sentence and, where it has one, the formula: the column's tooltip. */
  readonly help: string;
  readonly kind: 'text' | 'count' | 'number' | 'duration_ns' | 'time_ns' | 'bytes' | 'share';
}

/** How far the detail of a view is. */
export interface DetailState {
  /** The detail of what was chosen last and has come; null where nothing is chosen, or nothing has come. */
  readonly value: unknown;
  /** True while the detail of another choice is being loaded. */
  readonly isStale: boolean;
  /** Why the detail of what is chosen did not come; null otherwise. */
  readonly error: string | null;
}

/**
 * What a view shows of one chosen thing. It is loaded and drawn by itself: a choice leaves the rest of the view as it is.
 * `K` names what is chosen, and `D` is what is drawn of it; both are plain data that JSON can carry.
 */
export interface Detail<P extends ParamSpecs, K = unknown, D = unknown> {
  /** What the detail is called in the model that the command line prints. */
  readonly name: string;
  /** Params that name what is chosen, in a link or on the command line. A choice in the window drops them. */
  readonly namedBy: readonly (keyof P & string)[];
  /** What is chosen; null where nothing is. Params that name something come first. */
  chosen(selection: Selection, params: ParamValues<P>): K | null;
  /** Asks for what is drawn of it; null where the trace has no such thing. */
  load(query: Query, chosen: K, range: TimeRange): Promise<D | null>;
}

/** A view that is drawn in a window. */
export interface Drawn<P extends ParamSpecs, M> {
  /** Shows another model in the same place: focus, scroll and what the user drags stay. */
  update(model: M, context: ViewContext<P>): void;
  end(): void;
}

/** A key that does something in one view alone. */
export interface ViewKey {
  /** The character. */
  readonly key: string;
  readonly title: string;
}

/** Rules that the user wrote, besides those that come with Outrank (docs/findings.md). */
export interface UserRules {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Files that do not run, each with the reason, which names the file. */
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  /** Runs what the file of this text asks of the engine, and ends it if it takes too long; absent: it may take any time. */
  readonly limit?: (<T>(text: string, ask: () => Promise<T>) => Promise<T>) | undefined;
}

/** One view: a question, the data that answers it, and the picture. `M` is plain data that JSON can carry. */
export interface View<P extends ParamSpecs, M> {
  readonly id: string;
  readonly title: string;
  /** The question that the view answers, in the user's words. */
  readonly question: string;
  /** A SELECT to go on from, of what the view shows between `:range_start` and `:range_end`; lines that name params depend on these. */
  readonly sql: string;
  readonly params: P;
  /** The modules of the package `etw` whose tables it asks: of a trace without columns they are built before it is loaded. */
  readonly modules: readonly string[];
  /** What it needs of a recording; absent where it shows something of any. */
  readonly recording?: RecordingNeeds;
  /** Keys that the drawn view listens to. */
  readonly keys?: readonly ViewKey[];
  /** The params that it opens with while something is chosen, so that it answers for that; absent if it does so anyway. */
  readonly paramsFor?: (selection: Selection) => Partial<ParamValues<P>>;
  /** True for a view of the whole recording: it is loaded for all of it, and not again when the range in view changes. */
  readonly whole?: true;
  /**
   * Asks the trace, and gives all that is drawn. It reads scheduling by `dataOf(query)`, and asks SQL that an outline answers: of a trace
   * with columns nothing is built before it. Knows no DOM. What it keeps between loads, it keeps by `query`: a loaded
   * trace has one of its own.
   */
  load(query: Query, params: ParamValues<P>, range: TimeRange): Promise<M>;
  /**
   * Answers what the drawn view asks while the user looks at it, as for a part of the trace at one zoom. Runs where `load` runs;
   * question and answer are what a message can carry.
   */
  answer?(query: Query, question: unknown): Promise<unknown>;
  /**
   * Makes ready what other ranges will ask for, a piece at each step, and keeps it by `query`. It goes on while nothing is asked, after the
   * first load, where tables lie in files beside.
   */
  ahead?(query: Query): AsyncIterator<void>;
  /** What takes longer than a first picture may: what `load` gave is drawn until this has added to it. */
  readonly later?: {
    /** The modules that it asks besides those of the view. */
    readonly modules: readonly string[];
    load(query: Query, params: ParamValues<P>, range: TimeRange, model: M): Promise<M>;
    /** Adds what rules find, again each time that the user's change. */
    find?(query: Query, model: M, rules: UserRules): Promise<M>;
  };
  /** What it shows of one chosen thing, besides the model. */
  readonly detail?: Detail<P>;
  /** The model and the detail as tables: the same facts for the keyboard, the screen reader and the terminal. */
  tables(model: M, detail?: unknown): readonly ViewTable[];
  /** Draws into an empty container and returns what changes and undoes it; a function undoes it, and another model is drawn anew. */
  draw(container: HTMLElement, model: M, context: ViewContext<P>): Drawn<P, M> | (() => void);
}
