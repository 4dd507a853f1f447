import { effect, signal } from '@preact/signals';
import {
  compareFindings,
  type Anchor,
  type ComparedFindings,
  type Comparison,
  type FoundIn,
  type PlainMeasured,
  type SideName,
} from '../../../shared/compare/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import { clampRange } from '../../../views/kit/index.ts';
import { askHost } from '../../host/ask-host.ts';
import {
  ANCHORING,
  COMPARING,
  MEASURING,
  MEASURING_FIRST,
  measuringQuestion,
} from '../../host/model-source/index.ts';
import type { MeasuringQuestion, ModelSource } from '../../host/model-source/index.ts';
import { unpacked } from '../../host/model-source/pack.ts';
import type { AnchoringQuestion, ComparingQuestion } from '../../models/index.ts';
import { pageModels } from '../../models/page-models.ts';
import type { Session } from '../session.ts';
import { loaded, type LoadedTrace } from '../state.ts';
import { beside, BesideTrace } from './beside.ts';
import { more, MoreTraces } from './more.ts';
import { comparePlace, type ComparePlace } from './place.ts';
import { findingsOf } from './side-findings.ts';

/** The traces of each side: the open or the other one first. */
export type Sides = Readonly<Record<SideName, readonly [LoadedTrace, ...LoadedTrace[]]>>;

/** How far a comparison is. */
export type Compared =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'working';
      /** What is done now, as a sentence. */
      readonly what: string;
      readonly sinceMs: number;
      readonly cancel: () => void;
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'done' };

export const compared = signal<Compared>({ kind: 'none' });
/** What was compared last; it stays in sight until the next is there. */
export const comparison = signal<{ readonly sides: Sides; readonly of: Comparison } | null>(null);

/** Which findings are new or gone in that comparison; null while rules still look for them, a text where they failed. */
export const changedFindings = signal<ComparedFindings | string | null>(null);

/** The anchors of traces that were compared, by their ids. */
export const anchors = signal<ReadonlyMap<string, readonly Anchor[]>>(new Map());

/** What is known first is shown so long after the start, unless all is known by then: else the page would flicker. */
const FIRST_AFTER_MS = 1000;
/** So many measured ranges are kept, besides those of further traces. */
const MEASURED_KEPT = 8;

/** Compares the open trace with the other one whenever what is compared changes, while the page is shown. */
export class Comparer {
  readonly beside: BesideTrace;
  readonly more: MoreTraces;
  readonly #session: Session;
  readonly #loader = pageModels();
  readonly #measured = new Map<string, { readonly answer: Promise<PlainMeasured>; isThere: boolean }>();
  #abort = new AbortController();
  /** What is shown or under way. */
  #key: string | null = null;

  constructor(session: Session) {
    this.#session = session;
    this.beside = new BesideTrace(session);
    this.more = new MoreTraces(session);
    effect(() => {
      const asked = comparePlace.value;
      if (loaded.value === null || asked === null) return;
      this.more.need(asked.more);
    });
    effect(() => {
      const asked = comparePlace.value;
      const open = loaded.value;
      const other = beside.value;
      const others = more.value;
      if (open === null || asked === null) return;
      if (other.kind !== 'open' || other.trace.opened.id !== asked.other) void this.beside.need(asked.other);
      else if (asked.more.every(({ id }) => (others.get(id)?.kind ?? 'opening') !== 'opening'))
        void this.#compare(asked, sidesOf(asked, open, other.trace));
    });
    effect(() => {
      const id = loaded.value?.opened.id;
      const of = comparison.peek()?.sides;
      const isOfIt = of !== undefined && [...of.a, ...of.b].some(({ opened }) => opened.id === id);
      if (!isOfIt && comparePlace.peek() === null) this.#leave();
    });
  }

  /** Compares once more what failed or was cancelled. */
  again(): void {
    this.#key = null;
    const [asked, open, other] = [comparePlace.peek(), loaded.peek(), beside.peek()];
    if (asked !== null && open !== null && other.kind === 'open')
      void this.#compare(asked, sidesOf(asked, open, other.trace));
  }

  /** Ends what is under way; what is half measured is measured anew. */
  #end(): void {
    this.#abort.abort();
    for (const [key, { isThere }] of this.#measured) if (!isThere) this.#measured.delete(key);
  }

  #leave(): void {
    this.#end();
    this.#key = null;
    compared.value = { kind: 'none' };
    comparison.value = null;
    this.beside.leave();
    this.more.need([]);
  }

  async #compare(asked: ComparePlace, sides: Sides): Promise<void> {
    const parts = { a: partsOf(sides.a, asked.ranges.a), b: partsOf(sides.b, asked.ranges.b) };
    const all = [...parts.a, ...parts.b];
    const told = (side: SideName) => parts[side].map(({ trace, range }) => [trace.opened.id, range]);
    const key = JSON.stringify([told('a'), told('b'), asked.ties]);
    if (key === this.#key) return;
    this.#end();
    const abort = (this.#abort = new AbortController());
    this.#key = key;
    const sinceMs = Date.now();
    const cancel = () => {
      if (abort.signal.aborted) return;
      this.#end();
      compared.value = { kind: 'cancelled' };
    };
    const say = (what: string) => {
      if (!abort.signal.aborted) compared.value = { kind: 'working', what, sinceMs, cancel };
    };
    const names =
      all.length > 2 ? `${all.length} traces` : all.map(({ trace }) => trace.opened.name).join(' and ');
    say(`Measuring ${names}`);
    const show = (of: Comparison) => {
      changedFindings.value = null;
      comparison.value = { sides, of };
    };
    let isMeasured = false;
    const isLate = () => isMeasured || abort.signal.aborted;
    const first: Partial<Record<SideName, PlainMeasured>> = {};
    /** Shows what is known first of two traces, while all the rest is measured. */
    const showFirst = async (side: SideName, measured: PlainMeasured) => {
      if (first[side] !== undefined) return;
      first[side] = measured;
      const { a, b } = first;
      if (a === undefined || b === undefined || (a.isWhole && b.isWhole)) return;
      await new Promise((resolve) => setTimeout(resolve, sinceMs + FIRST_AFTER_MS - Date.now()));
      if (isLate()) return;
      const question = { a: [a], b: [b], ties: asked.ties };
      // If this fails, so does the comparison of all, which says why.
      const of = await this.#differences(question, abort.signal).catch(() => null);
      if (of === null || isLate()) return;
      show(of);
      say(`Measuring ready time and blame of ${names}`);
    };
    try {
      const measure = async (side: SideName) => {
        const measured: PlainMeasured[] = [];
        const onFirst = all.length > 2 ? null : (measured: PlainMeasured) => void showFirst(side, measured);
        for (const { trace, range } of parts[side]) {
          const whole = await this.#measure(trace, { range }, abort.signal, onFirst);
          onFirst?.(whole);
          measured.push(whole);
        }
        return measured;
      };
      const [a, b] = await Promise.all([measure('a'), measure('b')]);
      isMeasured = true;
      say('Comparing');
      const of = await this.#differences({ a, b, ties: asked.ties }, abort.signal);
      if (abort.signal.aborted) return;
      show(of);
      compared.value = { kind: 'done' };
      for (const [first] of [sides.a, sides.b]) await this.#findAnchors(first);
      await this.#compareFindings(parts, asked, abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      compared.value = { kind: 'failed', message: messageOf(error) };
    }
  }

  /** What changed between what was measured. */
  async #differences(question: ComparingQuestion, signal: AbortSignal): Promise<Comparison> {
    const nothing = () => Promise.reject(new Error('a comparison asks no trace'));
    const source = this.#loader.connect(nothing, {});
    try {
      return (await source.ask(COMPARING, question, { signal })) as Comparison;
    } finally {
      source.end();
    }
  }

  /** Has the rules run for each trace, once its figures are shown, and compares what they find. */
  async #compareFindings(
    parts: Readonly<Record<SideName, ReturnType<typeof partsOf>>>,
    { ties }: ComparePlace,
    signal: AbortSignal,
  ): Promise<void> {
    const find = async (side: SideName) => {
      const found: FoundIn[] = [];
      for (const { trace, range } of parts[side])
        found.push({
          name: trace.opened.name,
          range,
          found: await findingsOf(this.#session, trace, signal),
        });
      return found;
    };
    const show = (found: ComparedFindings | string) => {
      if (!signal.aborted) changedFindings.value = found;
    };
    await Promise.all([find('a'), find('b')]).then(
      ([a, b]) => show(compareFindings(a, b, ties)),
      (error: unknown) => show(messageOf(error)),
    );
  }

  /** Measures a range of a trace; `onFirst`, if any, is given what takes least, where all is not known yet. */
  #measure(
    trace: LoadedTrace,
    of: MeasuringQuestion,
    signal: AbortSignal,
    onFirst: ((measured: PlainMeasured) => void) | null,
  ): Promise<PlainMeasured> {
    const { id, name } = trace.opened;
    const key = JSON.stringify([id, of]);
    const known = this.#measured.get(key);
    if (known !== undefined) return known.answer;
    const source = this.sourceOf(trace);
    const ask = async (what: typeof MEASURING | typeof MEASURING_FIRST): Promise<PlainMeasured> => {
      const measured = (await source.ask(what, measuringQuestion(of), { signal })) as PlainMeasured;
      return { ...measured, name };
    };
    const askBoth = async (): Promise<PlainMeasured> => {
      const first = await ask(MEASURING_FIRST);
      if (first.isWhole) return first;
      onFirst?.(first);
      return ask(MEASURING);
    };
    const answer = onFirst === null ? ask(MEASURING) : askBoth();
    const measured = { answer, isThere: false };
    this.#measured.set(key, measured);
    answer.then(
      () => {
        measured.isThere = true;
        source.end();
      },
      () => {
        if (this.#measured.get(key) === measured) this.#measured.delete(key);
        source.end();
      },
    );
    for (const oldest of [...this.#measured.keys()].slice(0, -MEASURED_KEPT - more.peek().size))
      this.#measured.delete(oldest);
    return answer;
  }

  /** Finds the anchors of a trace, once its figures are shown. Without them times are chosen by hand. */
  async #findAnchors(trace: LoadedTrace): Promise<void> {
    const { id } = trace.opened;
    if (anchors.peek().has(id)) return;
    const source = this.sourceOf(trace);
    const question: AnchoringQuestion = { whole: trace.summary.range, with_releases: true };
    const found = await source.ask(ANCHORING, question, {}).catch(() => []);
    source.end();
    anchors.value = new Map([...anchors.peek(), [id, found as readonly Anchor[]]]);
  }

  /** Where models of a trace are made; who asks for it ends it. */
  sourceOf({ opened }: LoadedTrace): ModelSource {
    const beside = this.#session.modelsOf(opened);
    if (beside !== null) return unpacked(beside);
    const { host } = this.#session.door;
    return this.#loader.connect((wish, signal) => askHost(host, opened.id, wish, signal), opened);
  }
}

/** Which traces are which side. */
function sidesOf({ otherIs, more: others }: ComparePlace, open: LoadedTrace, other: LoadedTrace): Sides {
  const ofSide = (side: SideName) =>
    others.flatMap((each) => {
      const found = more.peek().get(each.id);
      return each.side === side && found?.kind === 'open' ? [found.trace] : [];
    });
  const [a, b] = otherIs === 'a' ? [other, open] : [open, other];
  return { a: [a, ...ofSide('a')], b: [b, ...ofSide('b')] };
}

/** The range of each trace of a side: the same time from the start of each. */
export function partsOf(traces: Sides[SideName], range: TimeRange | null) {
  const [{ summary: first }] = traces;
  return traces.map((trace) => {
    const whole = trace.summary.range;
    const later = whole.start - first.range.start;
    const moved = range === null ? whole : { start: range.start + later, end: range.end + later };
    return { trace, range: clampRange(moved, whole) };
  });
}
