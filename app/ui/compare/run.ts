import { effect, signal } from '@preact/signals';
import type { Comparison, PlainMeasured, SideName } from '../../../shared/compare/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import { clampRange } from '../../../views/kit/index.ts';
import { askHost, COMPARING, MEASURING } from '../../models/index.ts';
import type { ComparingQuestion, MeasuringQuestion, ModelSource } from '../../models/index.ts';
import { pageModels } from '../../models/page-models.ts';
import type { Session } from '../session.ts';
import { loaded, type LoadedTrace } from '../state.ts';
import { unpacked } from '../../models/pack.ts';
import { beside, BesideTrace } from './beside.ts';
import { comparePlace, type ComparePlace } from './place.ts';

/** The two traces, by side. */
export type Sides = Readonly<Record<SideName, LoadedTrace>>;

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

/** So many measured ranges are kept. */
const MEASURED_KEPT = 8;

/** Compares the open trace with the other one whenever what is compared changes, while the page is shown. */
export class Comparer {
  readonly beside: BesideTrace;
  readonly #session: Session;
  readonly #loader = pageModels();
  readonly #measured = new Map<string, { readonly answer: Promise<PlainMeasured>; isThere: boolean }>();
  #abort = new AbortController();
  /** What is shown or under way. */
  #key: string | null = null;

  constructor(session: Session) {
    this.#session = session;
    this.beside = new BesideTrace(session);
    effect(() => {
      const asked = comparePlace.value;
      const open = loaded.value;
      const other = beside.value;
      if (open === null || asked === null) return;
      if (other.kind === 'open' && other.trace.opened.id === asked.other)
        void this.#compare(asked, sidesOf(asked, open, other.trace));
      else void this.beside.need(asked.other);
    });
    effect(() => {
      const id = loaded.value?.opened.id;
      const of = comparison.peek()?.sides;
      const isOfIt = of !== undefined && [of.a.opened.id, of.b.opened.id].includes(id ?? '');
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
  }

  async #compare(asked: ComparePlace, sides: Sides): Promise<void> {
    const ranges = { a: rangeOf(sides.a, asked.ranges.a), b: rangeOf(sides.b, asked.ranges.b) };
    const key = JSON.stringify([sides.a.opened.id, sides.b.opened.id, ranges, asked.ties]);
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
    const names = { a: sides.a.opened.name, b: sides.b.opened.name };
    say(`Measuring ${names.a} and ${names.b}`);
    try {
      const measure = (side: SideName) => this.#measure(sides[side], ranges[side], abort.signal);
      const [a, b] = await Promise.all([measure('a'), measure('b')]);
      say('Comparing');
      const nothing = () => Promise.reject(new Error('a comparison asks no trace'));
      const source = this.#loader.connect(nothing, undefined);
      const question: ComparingQuestion = { a, b, ties: asked.ties };
      const of = (await source.ask(COMPARING, question, { signal: abort.signal })) as Comparison;
      source.end();
      if (abort.signal.aborted) return;
      comparison.value = { sides, of };
      compared.value = { kind: 'done' };
    } catch (error) {
      if (abort.signal.aborted) return;
      compared.value = { kind: 'failed', message: messageOf(error) };
    }
  }

  #measure(trace: LoadedTrace, range: TimeRange, signal: AbortSignal): Promise<PlainMeasured> {
    const { id, name } = trace.opened;
    const key = JSON.stringify([id, range]);
    const known = this.#measured.get(key);
    if (known !== undefined) return known.answer;
    const source = this.#sourceOf(trace);
    const question: MeasuringQuestion = { name, range };
    const answer = source.ask(MEASURING, question, { signal }) as Promise<PlainMeasured>;
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
    for (const oldest of [...this.#measured.keys()].slice(0, -MEASURED_KEPT)) this.#measured.delete(oldest);
    return answer;
  }

  #sourceOf({ opened }: LoadedTrace): ModelSource {
    const beside = this.#session.modelsOf(opened);
    if (beside !== null) return unpacked(beside);
    const { host } = this.#session.door;
    return this.#loader.connect((wish, signal) => askHost(host, opened.id, wish, signal), opened.tables);
  }
}

/** Which trace is which side. */
function sidesOf({ otherIs }: ComparePlace, open: LoadedTrace, other: LoadedTrace): Sides {
  return otherIs === 'a' ? { a: other, b: open } : { a: open, b: other };
}

function rangeOf({ summary }: LoadedTrace, range: TimeRange | null): TimeRange {
  return range === null ? summary.range : clampRange(range, summary.range);
}
