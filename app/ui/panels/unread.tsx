import { useEffect, useRef } from 'preact/hooks';
import { createSqlEditor } from '../editor/sql-editor.ts';
import type { LibraryPanel } from './library.ts';

/** That a panel was not written here, and its text: it runs only once the user has read it. */
export function Unread({ found, confirm }: { readonly found: LibraryPanel; readonly confirm: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return;
    const editor = createSqlEditor(element.current, { label: 'Panel', text: found.text, readOnly: true });
    return () => editor.destroy();
  }, [found.text]);
  return (
    <div class="panel-page unread">
      <header class="view-heading">
        <h2>{found.read.panel?.title ?? found.id}</h2>
        <p>{found.from === 'trace' ? 'It lies beside the trace.' : 'It lies in your folder of panels.'}</p>
      </header>
      <div class="stranger" role="alert">
        <p>
          This panel was not written here and has not run. It can read this trace and nothing else. Read it
          first.
        </p>
        <button type="button" onClick={confirm}>
          I have read it: run it
        </button>
      </div>
      <div ref={element} class="editor" />
    </div>
  );
}
