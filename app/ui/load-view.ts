import { effect, signal } from '@preact/signals';
import type { Query } from '../../shared/engine/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { AnyView } from '../../views/index.ts';
import { currentParams, currentView, loaded, range, type LoadedTrace } from './state.ts';
import { needTables } from './tables.ts';

type Params = ReturnType<typeof currentParams.peek>;

/** A view's model, and what it was loaded for. */
export interface LoadedView {
  readonly view: AnyView;
  readonly params: Params;
  readonly range: TimeRange;
  readonly model: unknown;
}

/** The last model that was loaded; it stays in sight until the next one is there. */
export const loadedView = signal<LoadedView | null>(null);
/** Since when the engine works on the next model, in ms since 1970; null if it does not. */
export const loadingSinceMs = signal<number | null>(null);
/** Why the last load failed. */
export const loadError = signal<string | null>(null);

/** While the range changes, as in zooming, a load starts only when it has rested for so long. */
const RANGE_RESTS_MS = 120;

/** Loads the view in use whenever it, its params or the range change. One load at a time; the newest wish wins. */
export function loadViews(query: Query): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let wanted: Omit<LoadedView, 'model'> | null = null;
  let asked: Omit<LoadedView, 'model'> | null = null;
  let hurry = false;

  // Views keep what they asked by the function that they asked with: a trace has one of its own.
  const asks = new WeakMap<LoadedTrace, Query>();
  const askOf = (trace: LoadedTrace | null): Query => {
    if (trace === null) return query;
    const ask = asks.get(trace) ?? ((sql, bindings) => query(sql, bindings));
    asks.set(trace, ask);
    return ask;
  };

  const isOutdated = () => wanted !== null;

  const run = async () => {
    if (running) return;
    running = true;
    loadingSinceMs.value = Date.now();
    while (wanted !== null) {
      const { view, params, range } = wanted;
      wanted = null;
      const trace = loaded.peek();
      const ask = askOf(trace);
      try {
        await needTables(view.modules);
        if (isOutdated()) continue;
        const model = await view.load(ask, params, range);
        if (trace !== null && trace === loaded.peek()) {
          loadedView.value = { view, params, range, model };
          loadError.value = null;
        }
      } catch (error) {
        if (trace === loaded.peek()) loadError.value = error instanceof Error ? error.message : String(error);
      }
    }
    running = false;
    loadingSinceMs.value = null;
  };

  effect(() => {
    const view = currentView.value;
    const next = { params: currentParams.value, range: range.value };
    if (loaded.value === null || view === undefined) {
      clearTimeout(timer);
      loadedView.value = null;
      loadError.value = null;
      asked = null;
      return;
    }
    const sameParams = asked?.view === view && JSON.stringify(asked.params) === JSON.stringify(next.params);
    if (sameParams && JSON.stringify(asked?.range) === JSON.stringify(next.range)) return;
    hurry ||= !sameParams;
    asked = { view, ...next };
    clearTimeout(timer);
    // Even a hurried load waits for the end of this turn, in which more may change.
    timer = setTimeout(
      () => {
        hurry = false;
        wanted = asked;
        void run();
      },
      hurry ? 0 : RANGE_RESTS_MS,
    );
  });
}
