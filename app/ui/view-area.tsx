import { batch, computed, effect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Mark, Selection, ViewContext } from '../../shared/view/index.ts';
import { drawTable } from '../../views/kit/index.ts';
import { loadedView, loadError, loadingSinceMs, type LoadedView } from './load-view.ts';
import { sqlBehind, viewsAsked } from './query/behind.ts';
import { openQuery } from './query/place-sql.ts';
import type { Session } from './session.ts';
import {
  asTables,
  currentView,
  goTo,
  loaded,
  marks,
  range,
  selection,
  setParams,
  shownTheme,
  toggleMark,
  zoomTo,
} from './state.ts';
import { awaited, ViewTables } from './tables-status.tsx';
import { ShowAs } from './show-as.tsx';

/** A load that takes longer than this can be ended by restarting the engine. */
const LONG_MS = 2_000;

/** The view in use: its question, its picture or its tables, and what the engine is doing for it. */
export function ViewArea({ session }: { readonly session: Session }) {
  const canvas = useRef<HTMLDivElement>(null);
  useEffect(() => (canvas.current === null ? undefined : keepDrawn(canvas.current)), []);
  const view = currentView.value;
  if (view === undefined) return null;
  // For as long as tables take, or where nothing comes, the picture of another view under this one's heading would mislead.
  const comesLate = awaited.value !== null || loadError.value !== null;
  const isOfAnother = comesLate && loadedView.value?.view !== view;
  return (
    <div class="view-area" aria-busy={loadingSinceMs.value !== null}>
      <header class="view-heading">
        <h2>{view.title}</h2>
        <p>{view.question}</p>
        {viewsAsked.value.has(view.id) && (
          <button
            type="button"
            class="plain behind"
            title="Open what this view asks the engine as a query"
            onClick={() => openQuery(sqlBehind(view.id))}
          >
            SQL behind this
          </button>
        )}
        <ShowAs />
      </header>
      <ViewTables />
      {loadingSinceMs.value !== null && <Busy session={session} sinceMs={loadingSinceMs.value} />}
      {loadError.value !== null && (
        <div class="view-error" role="alert">
          <p>{loadError.value}</p>
          <button type="button" onClick={() => void session.restart()}>
            Load the trace again
          </button>
        </div>
      )}
      <div ref={canvas} class="view-canvas" tabIndex={-1} hidden={isOfAnother} />
    </div>
  );
}

/** That the engine works; and, if it does so for long, a way to end it. */
function Busy({ session, sinceMs }: { readonly session: Session; readonly sinceMs: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="busy" role="status">
      <div class="busy-line" />
      {now - sinceMs > LONG_MS && (
        <p>
          The engine has been working for {((now - sinceMs) / 1000).toFixed(0)} s.{' '}
          <button type="button" onClick={() => void session.restart()}>
            Restart it
          </button>
        </p>
      )}
    </div>
  );
}

/** Keeps the element showing the model that was loaded last. Returns what ends that. */
function keepDrawn(parent: HTMLElement): () => void {
  let undraw: (() => void) | null = null;
  const look = computed(() => ({ shown: loadedView.value, theme: shownTheme.value, tables: asTables.value }));
  const stop = look.subscribe(({ shown, tables }) => {
    const heldFocus = parent.contains(document.activeElement);
    undraw?.();
    undraw = null;
    if (shown === null) {
      parent.replaceChildren();
      return;
    }
    // Drawn aside and swapped in whole, so that the page keeps its scroll position.
    const page = document.createElement('div');
    page.className = 'view-page';
    undraw = tables ? drawTables(page, shown) : drawPicture(page, shown);
    parent.replaceChildren(page);
    if (heldFocus) requestAnimationFrame(() => keepFocus(parent));
  });
  return () => {
    stop();
    undraw?.();
  };
}

/** Keeps the keyboard in the view, where nothing in what was drawn anew has taken it: Tab would start at the top of the page. */
function keepFocus(parent: HTMLElement): void {
  if (document.activeElement === document.body) parent.focus({ preventScroll: true });
}

function drawPicture(page: HTMLElement, { view, params, range: loadedRange, model }: LoadedView): () => void {
  const trace = loaded.peek();
  if (trace === null) return () => undefined;
  const context: ViewContext<typeof view.params> = {
    trace: trace.summary,
    range: view.whole === true ? range.peek() : loadedRange,
    selection: selection.peek(),
    params,
    still: false,
    onRange: (listener) => effect(() => listener(range.value)),
    onSelection,
    toggleMark,
    zoomTo,
    select: (chosen) => goTo({ selection: chosen }),
    setParams,
    openView: (id, changes) => batch(() => goTo({ view: id, params: changes })),
  };
  return view.draw(page, model, context);
}

function onSelection(listener: (chosen: Selection, marked: readonly Mark[]) => void): () => void {
  return effect(() => listener(selection.value, marks.value));
}

function drawTables(page: HTMLElement, { view, model }: LoadedView): () => void {
  const origin_ns = loaded.peek()?.summary.range.start ?? 0;
  const ends = view.tables(model).map((table) => {
    const section = page.appendChild(document.createElement('section'));
    section.className = 'panel as-table';
    const heading = section.appendChild(document.createElement('header'));
    heading.className = 'section-heading';
    heading.appendChild(document.createElement('h2')).textContent = table.title;
    const context = { selection: selection.peek(), onSelection, toggleMark };
    return drawTable(section, table, { origin_ns, context, name: `tables/${view.id}/${table.title}` });
  });
  return () => {
    for (const end of ends) end();
  };
}
