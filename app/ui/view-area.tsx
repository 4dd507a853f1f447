import { batch, computed, effect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Drawn, Mark, ParamSpecs, Selection, ViewContext, ViewTable } from '../../shared/view/index.ts';
import { addPanel, mountTable, type DrawnTable } from '../../views/kit/index.ts';
import { sqlOf } from '../../views/view-sql.ts';
import {
  askView,
  detailState,
  loadedView,
  loadError,
  loadingSinceMs,
  type LoadedView,
} from './view-parts/load-parts.ts';
import { followTracks } from './extra-tracks/tracks.ts';
import { openQuery } from './query/place-sql.ts';
import type { Session } from './session.ts';
import {
  asTables,
  currentParams,
  currentView,
  goTo,
  marks,
  range,
  select,
  selection,
  setParams,
  shownTheme,
  toggleMark,
  zoomTo,
} from './state.ts';
import { tooLarge } from './tables.ts';
import { TooLarge } from './too-large.tsx';
import { awaited, ViewTables } from './tables-status.tsx';
import { SavePicture } from './save-picture.tsx';
import { ShowAs } from './show-as.tsx';

/** A load that takes longer than this can be ended by restarting the engine. */
const LONG_MS = 2_000;

/** The picture of another view goes after so long. A quick load would make the page flicker. */
const STALE_MS = 300;

/** The view in use: its question, its picture or its tables, and what the engine is doing for it. */
export function ViewArea({ session }: { readonly session: Session }) {
  const canvas = useRef<HTMLDivElement>(null);
  useEffect(() => (canvas.current === null ? undefined : keepDrawn(canvas.current, session)), []);
  const view = currentView.value;
  const isStale = useLate(loadedView.value?.view !== view);
  if (view === undefined) return null;
  // For as long as tables take, or where nothing comes, the picture of another view under this one's heading would mislead.
  const comesLate = awaited.value !== null || loadError.value !== null;
  const isOfAnother = comesLate && loadedView.value?.view !== view;
  return (
    <div class="view-area" aria-busy={loadingSinceMs.value !== null}>
      <header class="view-heading">
        <h2>{view.title}</h2>
        <p>{view.question}</p>
        <div class="view-tools">
          <SavePicture />
          <button
            type="button"
            class="plain"
            title="Open what this view shows, of the range in view and with these filters, as a query to go on from"
            onClick={() => openQuery(sqlOf(view, range.peek(), currentParams.peek()))}
          >
            Open as SQL
          </button>
          <ShowAs />
        </div>
      </header>
      <ViewTables />
      {loadingSinceMs.value !== null && <Busy session={session} sinceMs={loadingSinceMs.value} />}
      {loadError.value !== null && <Failed session={session} message={loadError.value} />}
      <div
        ref={canvas}
        class={isStale ? 'view-canvas stale' : 'view-canvas'}
        tabIndex={-1}
        hidden={isOfAnother}
      />
    </div>
  );
}

/** True once something has held for {@link STALE_MS}. */
function useLate(holds: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!holds) return;
    const timer = setTimeout(() => setLate(true), STALE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [holds]);
  return holds && isLate;
}

/** Why the view could not be loaded, and what the user can do. */
function Failed({ session, message }: { readonly session: Session; readonly message: string }) {
  const overview = tooLarge.value;
  if (overview === null)
    return (
      <div class="view-error" role="alert">
        <p>{message}</p>
        <LoadAgain session={session} />
      </div>
    );
  return <TooLarge session={session} overview={overview} what="This view" />;
}

/** That the view is loading; and, if it does so for long, a way to end that. */
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
          This view has been working for {((now - sinceMs) / 1000).toFixed(0)} s.{' '}
          <LoadAgain session={session} />
        </p>
      )}
    </div>
  );
}

/** Ends what loads, and begins anew. */
function LoadAgain({ session }: { readonly session: Session }) {
  return (
    <button type="button" onClick={() => void session.restart()}>
      Load the trace again
    </button>
  );
}

/** What is drawn, and what can take its place without being drawn anew. */
interface Shown extends Drawn<ParamSpecs, unknown> {
  readonly of: Pick<LoadedView, 'view' | 'trace'> & { readonly asTables: boolean };
}

/** Keeps the element showing the model that was loaded last. Returns what ends that. */
function keepDrawn(parent: HTMLElement, session: Session): () => void {
  let shown: Shown | null = null;
  const look = computed(() => ({
    loaded: loadedView.value,
    theme: shownTheme.value,
    asTables: asTables.value,
  }));
  const stop = look.subscribe(({ loaded, asTables }) => {
    if (loaded === null) {
      shown?.end();
      shown = null;
      parent.replaceChildren();
      return;
    }
    const { view, trace, model } = loaded;
    const context = contextOf(loaded, session);
    if (shown?.of.view === view && shown.of.trace === trace && shown.of.asTables === asTables) {
      shown.update(model, context);
      return;
    }
    const heldFocus = parent.contains(document.activeElement);
    shown?.end();
    const page = document.createElement('div');
    page.className = 'view-page';
    const drawn = asTables ? drawTables(page, loaded) : redrawing(page, view, model, context);
    shown = { ...drawn, of: { view, trace, asTables } };
    parent.replaceChildren(page);
    // Of another view nothing has the focus: Tab would start at the top of the page.
    if (heldFocus) parent.focus({ preventScroll: true });
  });
  return () => {
    stop();
    shown?.end();
  };
}

/** Draws a view; one that cannot take another model in its place is drawn anew for it. */
function redrawing(
  page: HTMLElement,
  view: LoadedView['view'],
  model: unknown,
  context: ViewContext<ParamSpecs>,
): Drawn<ParamSpecs, unknown> {
  let drawn = view.draw(page, model, context);
  if (typeof drawn !== 'function') return drawn;
  const end = () => {
    if (typeof drawn === 'function') drawn();
    page.replaceChildren();
  };
  return {
    update: (next, now) => {
      end();
      drawn = view.draw(page, next, now);
    },
    end,
  };
}

function contextOf(
  { view, trace, params, range: loadedRange }: LoadedView,
  session: Session,
): ViewContext<ParamSpecs> {
  return {
    trace: trace.summary,
    range: view.whole === true ? range.peek() : loadedRange,
    selection: selection.peek(),
    params,
    still: false,
    onRange: (listener) => effect(() => listener(range.value)),
    onSelection,
    onDetail: (listener) => effect(() => listener(detailState.value)),
    onTracks: (listener) => followTracks(session, listener),
    toggleMark,
    zoomTo,
    select,
    setParams,
    openView: (id, changes) => batch(() => goTo({ view: id, params: changes })),
    ...(view.answer === undefined ? {} : { ask: (question: unknown) => askView(view, question) }),
  };
}

function onSelection(listener: (chosen: Selection, marked: readonly Mark[]) => void): () => void {
  return effect(() => listener(selection.value, marks.value));
}

/** The tables of the model, and of the detail when it comes. */
function drawTables(page: HTMLElement, first: LoadedView): Drawn<ParamSpecs, unknown> {
  const { view, trace } = first;
  const origin_ns = trace.summary.range.start;
  let { model } = first;
  let detail: unknown = null;
  let shown: readonly { readonly section: HTMLElement; readonly table: DrawnTable }[] = [];
  const context = { selection: selection.peek(), onSelection, toggleMark };
  const show = () => {
    const tables = view.tables(model, detail ?? undefined);
    const optionsOf = ({ title }: ViewTable) => ({ origin_ns, context, name: `tables/${view.id}/${title}` });
    for (const { section, table } of shown.slice(tables.length)) {
      table.end();
      section.remove();
    }
    shown = tables.map((table, at) => {
      const before = shown[at];
      const section = before?.section ?? addPanel(page, table.title);
      section.classList.add('as-table');
      const heading = section.querySelector('h2');
      if (heading !== null) heading.textContent = table.title;
      if (before !== undefined) before.table.update(table, optionsOf(table));
      return before ?? { section, table: mountTable(section, table, optionsOf(table)) };
    });
  };
  const stop = effect(() => {
    detail = detailState.value.value;
    show();
  });
  return {
    update: (next) => {
      model = next;
      show();
    },
    end: () => {
      stop();
      for (const { table } of shown) table.end();
    },
  };
}
