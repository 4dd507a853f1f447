import { computed, effect, signal } from '@preact/signals';
import { messageOf } from '../../../shared/model/index.ts';
import type { DetailState, TimeRange, UserRules } from '../../../shared/view/index.ts';
import type { AnyView } from '../../../views/index.ts';
import {
  currentParams,
  currentView,
  loaded,
  range as rangeInView,
  selection,
  type LoadedTrace,
} from '../state.ts';
import { holdTablesFor, laterModulesFor, modulesFor, needSql, needTables } from '../tables.ts';
import { userRules } from '../user-rules.ts';
import { resting } from './resting.ts';
import { Sources, type TraceDoor } from './source.ts';
import { Turns } from './turns.ts';

type Params = ReturnType<typeof currentParams.peek>;

/** What the list of a view is loaded for. */
export interface ListWish {
  readonly view: AnyView;
  readonly params: Params;
  readonly range: TimeRange;
  /** Wishes of one key are for the same. */
  readonly key: string;
}

/** A view's model, and what it was loaded for. */
export interface LoadedView extends Omit<ListWish, 'key'> {
  readonly trace: LoadedTrace;
  readonly model: unknown;
}

/** The detail that was loaded last. */
export interface LoadedDetail {
  readonly view: AnyView;
  /** What was chosen, and the range in view. */
  readonly key: string;
  readonly value: unknown;
  readonly error: string | null;
}

/** The last model that was loaded; it stays in sight until the next one is there. */
export const loadedView = signal<LoadedView | null>(null);
/** Why the last load of the list failed. */
export const loadError = signal<string | null>(null);
/** The detail that was loaded last, of whichever view; null where nothing is chosen. */
export const loadedDetail = signal<LoadedDetail | null>(null);

/** What a drawn view answers to itself; set by {@link loadParts}. */
let answerOf: (view: AnyView, question: unknown) => Promise<unknown> = () =>
  Promise.reject(new Error('no trace is open'));

/** Asks a view of the open trace what it asks when it is drawn, see `View.answer`. */
export function askView(view: AnyView, question: unknown): Promise<unknown> {
  return answerOf(view, question);
}

let loadFor: (view: AnyView, params: Params, range: TimeRange) => Promise<unknown> = () =>
  Promise.reject(new Error('no trace is open'));

/** The model of the view in use for another range than the one that is shown, as for a still; nothing that is shown changes. */
export function modelFor(view: AnyView, params: Params, range: TimeRange): Promise<unknown> {
  return loadFor(view, params, range);
}

const underWay = signal<ReadonlyMap<string, number>>(new Map());
/** Since when the engine works on what is in sight, in ms since 1970; null if it does not. */
export const loadingSinceMs = computed(() => {
  const since = [underWay.value.get('list'), underWay.value.get('detail')].filter((ms) => ms !== undefined);
  return since.length === 0 ? null : Math.min(...since);
});

const keyOf = ({ view, params, range }: Omit<ListWish, 'key'>) =>
  `${view.id} ${JSON.stringify(params)} ${JSON.stringify(range)}`;

/** The params that the list is loaded for: what they choose is the detail's. */
function listParams(view: AnyView, params: Params): Params {
  const namedBy = view.detail?.namedBy ?? [];
  const given = Object.entries(params).map(([name, value]) => [
    name,
    namedBy.includes(name) ? view.params[name]?.default : value,
  ]);
  return Object.fromEntries(given) as Params;
}

/** What is chosen in the view in use; null where nothing is, or the view has no detail. */
const chosenIn = computed(
  () => currentView.value?.detail?.chosen(selection.value, currentParams.value) ?? null,
);

/**
 * Loads the view in use whenever it, its params or the range change, and its detail whenever what is chosen changes. Each part has its
 * own turn, and the newest wish of a part wins.
 */
export function loadParts(door: TraceDoor): void {
  const sources = new Sources(door);
  answerOf = (view, question) => {
    const trace = loaded.peek();
    if (trace === null) return Promise.reject(new Error('no trace is open'));
    return sources.of(trace, new AbortController().signal).models.ask(view.id, question);
  };
  loadFor = (view, params, range) => {
    const trace = loaded.peek();
    if (trace === null) return Promise.reject(new Error('no trace is open'));
    const { models } = sources.of(trace, new AbortController().signal);
    return models.load('load', { view: view.id, params, range });
  };
  const turns = new Turns<'list' | 'detail' | 'later'>(['list', 'detail', 'later'], (parts) => {
    underWay.value = parts;
  });
  // What a view of the whole recording has loaded stays true, whatever is shown in between.
  const wholes = new WeakMap<
    LoadedTrace,
    Map<string, { readonly model: unknown; readonly rules: UserRules | undefined }>
  >();
  const isShown = (trace: LoadedTrace, abort: AbortSignal) => !abort.aborted && trace === loaded.peek();

  const loadList = async (
    trace: LoadedTrace,
    wish: ListWish,
    rules: UserRules | undefined,
    abort: AbortSignal,
  ) => {
    const { view, params, range } = wish;
    const { models } = sources.of(trace, abort);
    const outdated = new Promise<void>((resolve) => abort.addEventListener('abort', () => resolve()));
    const wanted = { view: view.id, params, range };
    const show = (model: unknown) => {
      if (!isShown(trace, abort)) return;
      loadedView.value = { trace, view, params, range, model };
      loadError.value = null;
    };
    const known = wholes.get(trace)?.get(wish.key);
    if (known !== undefined) show(known.model);
    if (known !== undefined && known.rules === rules) return;
    const modules = modulesFor(view, trace);
    // Who goes on to another view does not wait for the tables of this one.
    // Without a pause where nothing is wanted: in it the tables of others would begin to be built.
    if (modules.length > 0) await Promise.race([needTables(modules), outdated]);
    if (!isShown(trace, abort)) return;
    const model = known === undefined ? await holdTablesFor(models.load('load', wanted)) : known.model;
    show(model);
    if (view.later !== undefined && isShown(trace, abort))
      turns.want('later', (ended) =>
        failing(trace, ended, () =>
          loadLater(trace, wish, { model, isWhole: known !== undefined }, rules, ended),
        ),
      );
  };

  const loadLater = async (
    trace: LoadedTrace,
    wish: ListWish,
    { model, isWhole }: { readonly model: unknown; readonly isWhole: boolean },
    rules: UserRules | undefined,
    abort: AbortSignal,
  ) => {
    const { view, params, range, key } = wish;
    const { later } = view;
    if (later === undefined) return;
    const { query, models } = sources.of(trace, abort);
    const outdated = new Promise<void>((resolve) => abort.addEventListener('abort', () => resolve()));
    // What a rule may take is its own time, not that of the tables that it names.
    const needed = [
      needTables(laterModulesFor(view, trace)),
      ...(rules?.files ?? []).map(({ text }) => needSql(text)),
    ];
    await Promise.race([Promise.all(needed), outdated]);
    if (abort.aborted) return;
    const show = (before: unknown, now: unknown) => {
      if (isShown(trace, abort) && now !== before)
        loadedView.value = { trace, view, params, range, model: now };
    };
    // What was loaded whole is not loaded again: only the user's rules have changed.
    const added = isWhole ? null : models.load('later', { view: view.id, params, range });
    const more = (await holdTablesFor(Promise.resolve(added))) ?? model;
    show(model, more);
    // The user's rules are run by what only the page has.
    const found = rules === undefined ? undefined : later.find?.(query, more, rules);
    const all = found === undefined ? more : await holdTablesFor(found);
    show(more, all);
    if (isShown(trace, abort) && view.whole === true)
      wholes.set(trace, new Map(wholes.get(trace)).set(key, { model: all, rules }));
  };

  const loadDetail = async (
    trace: LoadedTrace,
    view: AnyView,
    key: string,
    chosen: unknown,
    abort: AbortSignal,
  ) => {
    const { models } = sources.of(trace, abort);
    const shown = { view, key, value: null, error: null };
    try {
      await needTables(modulesFor(view, trace));
      const wanted = { view: view.id, params: {}, chosen, range: rangeInView.peek() };
      const value = abort.aborted ? null : await holdTablesFor(models.load('detail', wanted));
      if (isShown(trace, abort)) loadedDetail.value = { ...shown, value };
    } catch (error) {
      if (isShown(trace, abort)) loadedDetail.value = { ...shown, error: messageOf(error) };
    }
  };

  const failing = async (trace: LoadedTrace, abort: AbortSignal, load: () => Promise<void>) => {
    try {
      await load();
    } catch (error) {
      if (isShown(trace, abort)) loadError.value = messageOf(error);
    }
  };

  followList((trace, wish, rules) => {
    turns.want('later', null);
    turns.want(
      'list',
      wish && trace && ((abort) => failing(trace, abort, () => loadList(trace, wish, rules, abort))),
    );
  });
  followDetail((trace, view, key, chosen) =>
    turns.want('detail', trace && view && ((abort) => loadDetail(trace, view, key, chosen, abort))),
  );
}

/** Wishes for the list of the view in use as it, its params, the range or the user's rules change. */
function followList(
  want: (trace: LoadedTrace | null, wish: ListWish | null, rules: UserRules | undefined) => void,
): void {
  const rest = resting();
  let asked: {
    readonly trace: LoadedTrace;
    readonly wish: ListWish;
    readonly rules: UserRules | undefined;
  } | null = null;
  /** Ends what keeps tables from being built before the wanted load has begun. */
  let begun: () => void = () => undefined;
  effect(() => {
    const [view, trace] = [currentView.value, loaded.value];
    if (trace === null || view === undefined) {
      rest.stop();
      begun();
      loadedView.value = null;
      loadError.value = null;
      asked = null;
      want(null, null, undefined);
      return;
    }
    const params = listParams(view, currentParams.value);
    const range = view.whole === true ? trace.summary.range : rangeInView.value;
    const rules = view.later?.find === undefined ? undefined : userRules.value;
    const wish = { view, params, range, key: keyOf({ view, params, range }) };
    // The same trace that was loaded again is another one to its views.
    const before = asked?.trace === trace && asked.rules === rules ? asked.wish : null;
    if (before?.key === wish.key) return;
    const isUrgent = before?.view !== view || JSON.stringify(before.params) !== JSON.stringify(params);
    asked = { trace, wish, rules };
    // What failed was another view's.
    if (before?.view !== view) loadError.value = null;
    begun();
    const comesFirst = modulesFor(view, trace).length < view.modules.length;
    if (comesFirst) void holdTablesFor(new Promise<void>((resolve) => (begun = resolve)));
    const waits = rest.start(isUrgent, () => {
      want(trace, wish, rules);
      begun();
    });
    // The range goes on changing: what is loaded of the one before would be drawn meanwhile.
    if (waits) want(trace, null, rules);
  });
}

const detailKey = (view: AnyView, chosen: unknown, range: TimeRange) =>
  `${view.id} ${JSON.stringify(chosen)} ${JSON.stringify(range)}`;

/** Wishes for the detail of what is chosen as that or the range changes. */
function followDetail(
  want: (trace: LoadedTrace | null, view: AnyView | null, key: string, chosen: unknown) => void,
): void {
  const rest = resting();
  let asked: { readonly trace: LoadedTrace; readonly key: string; readonly chosen: string } | null = null;
  effect(() => {
    const [view, trace, chosen] = [currentView.value, loaded.value, chosenIn.value];
    if (trace === null || view === undefined || chosen === null) {
      rest.stop();
      if (asked !== null) want(null, null, '', null);
      asked = null;
      loadedDetail.value = null;
      return;
    }
    const key = detailKey(view, chosen, rangeInView.value);
    if (asked?.trace === trace && asked.key === key) return;
    const isUrgent = asked?.trace !== trace || asked.chosen !== JSON.stringify(chosen);
    asked = { trace, key, chosen: JSON.stringify(chosen) };
    rest.start(isUrgent, () => want(trace, view, key, chosen));
  });
}

/** How far the detail of the view in use is. */
export const detailState = computed((): DetailState => {
  const [view, chosen, shown] = [currentView.value, chosenIn.value, loadedDetail.value];
  if (view === undefined || chosen === null || shown?.view !== view)
    return { value: null, isStale: false, error: null };
  const { value, error, key } = shown;
  return { value, error, isStale: key !== detailKey(view, chosen, rangeInView.value) };
});
