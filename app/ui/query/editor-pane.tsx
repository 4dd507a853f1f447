import { useEffect, useRef, useState } from 'preact/hooks';
import { createSqlEditor, type SqlEditor } from '../editor/sql-editor.ts';
import type { Session } from '../session.ts';
import { reload } from '../state.ts';
import { catalogOf } from './catalog-of.ts';
import { Library } from './library.tsx';
import { notePlace } from './place-sql.ts';
import { endRun, isRunning, limits, MOST_ROWS, runTab } from './run.ts';
import { activeTab, changeTab, type QueryTab } from './tabs.ts';

/** The editor of the tab in use, and what can be done with its text. */
export function EditorPane({ session, tab }: { readonly session: Session; readonly tab: QueryTab }) {
  const element = useRef<HTMLDivElement>(null);
  const editor = useRef<SqlEditor | null>(null);
  const [library, setLibrary] = useState(false);
  const run = () => {
    const now = activeTab.peek();
    if (now?.origin !== 'own') return;
    notePlace();
    void runTab(session, now.id);
  };
  useEffect(() => {
    if (element.current === null) return;
    catalogOf(session);
    const made = (editor.current = createSqlEditor(element.current, {
      label: 'SQL',
      text: activeTab.peek()?.sql ?? '',
      onChange: (sql) => changeTab(activeTab.peek()?.id ?? 0, { sql }),
      onRun: run,
      catalog: () => catalogOf(session),
    }));
    made.focus();
    return () => made.destroy();
  }, [session]);
  // The text as it is by now: an effect comes after keys that were pressed since `tab` was drawn.
  useEffect(() => editor.current?.setText(activeTab.peek()?.sql ?? ''), [tab.id, tab.sql]);
  useEffect(() => editor.current?.setError(tab.run?.error ?? null), [tab.id, tab.run?.error]);
  return (
    <section class="editor-pane" aria-label="Query">
      {tab.origin === 'link' && <Stranger run={() => void runTab(session, tab.id)} />}
      <div ref={element} class="editor" />
      <div class="editor-bar">
        {isRunning(tab.run) ? (
          <button type="button" class="primary" onClick={() => void endRun(session, tab.id)}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            title="Ctrl Enter"
            disabled={tab.origin === 'link' || reload.value !== null || tab.sql.trim() === ''}
            onClick={run}
          >
            Run
          </button>
        )}
        <button type="button" aria-expanded={library} onClick={() => setLibrary(!library)}>
          History and examples
        </button>
        <span class="space" />
        <Limits />
      </div>
      {library && <Library close={() => setLibrary(false)} />}
    </section>
  );
}

/** That SQL came from outside: it runs only once the user has read it. */
function Stranger({ run }: { readonly run: () => void }) {
  return (
    <div class="stranger" role="alert">
      <p>
        This query came with a link and has not run. It can read this trace and nothing else. Read it first.
      </p>
      <button type="button" onClick={run}>
        I have read it: run it
      </button>
    </div>
  );
}

function Limits() {
  const { max_rows, max_s } = limits.value;
  const change = (name: keyof typeof limits.value, most: number) => (event: Event) => {
    const { valueAsNumber } = event.currentTarget as HTMLInputElement;
    if (valueAsNumber >= 1 && valueAsNumber <= most) {
      limits.value = { ...limits.peek(), [name]: Math.floor(valueAsNumber) };
    }
  };
  return (
    <span class="limits">
      <label title="Rows after these are left out">
        at most{' '}
        <input
          type="number"
          min={1}
          max={MOST_ROWS}
          value={max_rows}
          onChange={change('max_rows', MOST_ROWS)}
        />{' '}
        rows
      </label>
      <label title="A query that takes longer is ended, and the trace loaded again">
        within <input type="number" min={1} max={3600} value={max_s} onChange={change('max_s', 3600)} /> s
      </label>
    </span>
  );
}
