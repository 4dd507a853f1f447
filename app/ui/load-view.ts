import { effect, signal } from '@preact/signals';
import type { Query } from '../../shared/engine/index.ts';
import { modulesNamedIn } from '../../shared/sql/modules.ts';
import { readParams, type TimeRange, type UserRules } from '../../shared/view/index.ts';
import { views, type AnyView } from '../../views/index.ts';
import { traceQuery, type TraceAsker } from '../../shared/tables/index.ts';
import { ModelLoader, type AskBytes, type ModelSource } from './model-loader/loader.ts';
import type { Wish } from './model-loader/protocol.ts';
import { noteAsked } from './query/behind.ts';
import { plotReleased } from './plot-released.ts';
import { currentParams, currentView, loaded, range as rangeInView, type LoadedTrace } from './state.ts';
import { areBuilt, holdTablesFor, modulesFor, needTables } from './tables.ts';
import { userRules } from './user-rules.ts';
import { messageOf } from '../../shared/model/index.ts';

type Params = ReturnType<typeof currentParams.peek>;

/** A view's model, and what it was loaded for. */
export interface LoadedView {
  readonly view: AnyView;
  readonly params: Params;
  readonly range: TimeRange;
  readonly model: unknown;
}

/** What is to be loaded. */
interface Job extends Omit<LoadedView, 'model'> {
  /** Of a view that runs them. */
  readonly rules: UserRules | undefined;
}

/** The last model that was loaded; it stays in sight until the next one is there. */
export const loadedView = signal<LoadedView | null>(null);
/** Since when the engine works on the next model, in ms since 1970; null if it does not. */
export const loadingSinceMs = signal<number | null>(null);
/** Why the last load failed. */
export const loadError = signal<string | null>(null);

/** While the range changes, as in zooming, a load starts only when it has rested for so long. */
const RANGE_RESTS_MS = 120;

/**
 * Loads the view in use whenever it, its params or the range change. One load at a time; the newest wish wins.
 * `askWhile` asks the open trace until its signal is aborted, and gives the answer's own bytes.
 */
export function loadViews(askWhile: (signal: AbortSignal, wish: Wish) => Promise<Uint8Array>): void {
  const loader = new ModelLoader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let wanted: Job | null = null;
  let asked: Job | null = null;
  let askedOf: LoadedTrace | null = null;
  let hurry = false;
  /** The view that is loaded: there is one at a time. */
  let asking = '';
  /** Aborted when the load that runs is outdated. */
  let waiting = new AbortController();
  /** Ends what keeps tables from being built before the wanted load has begun. */
  let begun: () => void = () => undefined;

  let source: { readonly trace: LoadedTrace; readonly models: ModelSource; readonly query: Query } | null =
    null;
  // Views keep what they asked by the function that they asked with: a trace has one of its own.
  const sourceOf = (trace: LoadedTrace) => {
    if (source?.trace === trace) return source;
    source?.models.end();
    const ask: AskBytes = (wish) => {
      if (wish.kind === 'sql') noteAsked(asking, wish.statement, wish.sql);
      return askWhile(waiting.signal, wish);
    };
    const { tables } = trace.opened;
    const asker: TraceAsker = {
      sql: (of, sql, statement) => ask({ kind: 'sql', sql, statement, of }),
      readTable: (table, batch, columns) => ask({ kind: 'table', table, batch, columns }),
    };
    return (source = { trace, query: traceQuery(asker, tables), models: loader.connect(ask, tables) });
  };

  // What a view of the whole recording has loaded stays true, whatever is shown in between.
  const wholes = new WeakMap<LoadedTrace, Map<string, Pick<Job, 'rules'> & Pick<LoadedView, 'model'>>>();

  // Once tables are built one after the other, an estimate would wait for them: it is made before.
  const estimates = new WeakMap<LoadedTrace, Map<AnyView, LoadedView>>();
  const estimateFirst = async (trace: LoadedTrace, before: Promise<unknown>) => {
    const made = estimates.get(trace) ?? new Map<AnyView, LoadedView>();
    estimates.set(trace, made);
    await before;
    const { range } = trace.summary;
    const models = loader.connect(
      (wish) => askWhile(new AbortController().signal, wish),
      trace.opened.tables,
    );
    try {
      for (const view of views) {
        if (view.early === undefined || made.has(view) || areBuilt(modulesFor(view, trace))) continue;
        const params = readParams(view.params, {});
        const model = await models.load('early', { view: view.id, params, range });
        made.set(view, { view, params, range, model });
      }
    } finally {
      models.end();
    }
  };

  const isOutdated = () => wanted !== null;
  let whenOutdated: () => void = () => undefined;

  const run = async () => {
    if (running) return;
    running = true;
    while (wanted !== null) {
      loadingSinceMs.value ??= Date.now();
      const job = wanted;
      const { view, params, range, rules } = job;
      asking = view.id;
      waiting = new AbortController();
      const { signal } = waiting;
      wanted = null;
      const outdated = new Promise<void>((resolve) => (whenOutdated = resolve));
      const trace = loaded.peek();
      if (trace === null) continue;
      const { query, models } = sourceOf(trace);
      const now = { view: view.id, params, range };
      const show = (model: unknown) => {
        if (trace !== loaded.peek()) return;
        loadedView.value = { view, params, range, model };
        loadError.value = null;
      };
      const key = `${view.id} ${JSON.stringify(params)}`;
      const kept = wholes.get(trace);
      const known = kept?.get(key);
      if (known !== undefined) show(known.model);
      if (known !== undefined && known.rules === rules) continue;
      try {
        const modules = modulesFor(view, trace);
        if (view.early !== undefined && known === undefined && !areBuilt(modules)) {
          const made = estimates.get(trace)?.get(view);
          const isMade = made !== undefined && isSame(made, job) && isSameRange(made, job);
          const early = isMade ? made.model : await holdTablesFor(models.load('early', now));
          await plotReleased();
          if (early !== null && !isOutdated()) show(early);
        }
        if (isOutdated()) continue;
        // Who goes on to another view does not wait for the tables of this one.
        // Without a pause where nothing is wanted: in it the tables of others would begin to be built.
        if (modules.length > 0) await Promise.race([needTables(modules), outdated]);
        if (isOutdated()) continue;
        const first = holdTablesFor(
          known === undefined ? models.load('load', now) : Promise.resolve(known.model),
        );
        // Where the engine fails, the view that waits for it says so.
        holdTablesFor(estimateFirst(trace, first)).catch(() => undefined);
        const model = await first;
        await plotReleased();
        // The picture that is there follows the range by itself, and a finer model is asked for already.
        if (asked !== job && isSame(asked, job) && isSame(loadedView.peek(), job)) continue;
        show(model);
        if (view.later === undefined || isOutdated()) continue;
        loadingSinceMs.value = null;
        // What a rule may take is its own time, not that of the tables that it names.
        const named = modulesNamedIn(rules?.files.map(({ text }) => text).join('\n') ?? '');
        await Promise.race([needTables([...view.later.modules, ...named]), outdated]);
        // The user's rules are run by what only the page has.
        const later =
          view.later.rules === true
            ? view.later.load(query, params, range, model, rules)
            : models.load('later', now);
        const more = (await holdTablesFor(later)) ?? model;
        if (more !== model) {
          await plotReleased();
          show(more);
        }
        if (view.whole === true) wholes.set(trace, new Map(kept).set(key, { model: more, rules }));
      } catch (error) {
        if (signal.aborted) continue;
        if (trace === loaded.peek()) loadError.value = messageOf(error);
      }
    }
    running = false;
    loadingSinceMs.value = null;
  };

  effect(() => {
    const view = currentView.value;
    const whole = view?.whole === true ? loaded.value?.summary.range : undefined;
    const next = {
      params: currentParams.value,
      range: whole ?? rangeInView.value,
      rules: view?.later?.rules === true ? userRules.value : undefined,
    };
    if (loaded.value === null || view === undefined) {
      clearTimeout(timer);
      begun();
      loadedView.value = null;
      loadError.value = null;
      asked = null;
      return;
    }
    // The same trace that was loaded again is another one to its views.
    if (askedOf !== loaded.value) asked = null;
    askedOf = loaded.value;
    const sameParams = isSame(asked, { view, params: next.params }) && asked?.rules === next.rules;
    if (sameParams && isSameRange(asked, next)) return;
    hurry ||= !sameParams;
    asked = { view, ...next };
    clearTimeout(timer);
    begun();
    const comesFirst =
      view.early !== undefined || modulesFor(view, loaded.value).length < view.modules.length;
    if (comesFirst) void holdTablesFor(new Promise<void>((resolve) => (begun = resolve)));
    // Even a hurried load waits for the end of this turn, in which more may change.
    timer = setTimeout(
      () => {
        hurry = false;
        wanted = asked;
        waiting.abort();
        whenOutdated();
        void run();
        begun();
      },
      hurry ? 0 : RANGE_RESTS_MS,
    );
  });
}

/** Whether both are of one view with the same params. */
function isSame(
  one: Pick<LoadedView, 'view' | 'params'> | null,
  other: Pick<LoadedView, 'view' | 'params'>,
): boolean {
  return one?.view === other.view && JSON.stringify(one.params) === JSON.stringify(other.params);
}

function isSameRange(one: Pick<LoadedView, 'range'> | null, other: Pick<LoadedView, 'range'>): boolean {
  return JSON.stringify(one?.range) === JSON.stringify(other.range);
}
