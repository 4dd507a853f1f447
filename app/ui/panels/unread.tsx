import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../shared/model/index.ts';
import { createSqlEditor } from '../editor/sql-editor.ts';
import type { Session } from '../session.ts';
import { confirmPanel, type LibraryPanel } from './library.ts';

/** A panel that was not written here. */
interface UnreadProps {
  readonly session: Session;
  readonly found: LibraryPanel;
}

const WHERE_FROM: Readonly<Record<LibraryPanel['from'], string>> = {
  link: 'It came with the link.',
  trace: 'It lies in the folder of the trace.',
  user: 'It lies in your folder of panels.',
  shipped: 'It comes with Outrank.',
};

/** The page of a panel that was not written here: it runs only once the user has read it. */
export function Unread(props: UnreadProps) {
  const { found } = props;
  return (
    <div class="panel-page unread">
      <header class="view-heading">
        <h2>{found.read.panel?.title ?? found.id}</h2>
        <p>{WHERE_FROM[found.from]}</p>
      </header>
      <UnreadText {...props} />
    </div>
  );
}

/** That a panel was not written here, its text, and the way to let it run. */
export function UnreadText({ session, found }: UnreadProps) {
  const element = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (element.current === null) return;
    const editor = createSqlEditor(element.current, { label: 'Panel', text: found.text, readOnly: true });
    return () => editor.destroy();
  }, [found.text]);
  return (
    <>
      <div class="stranger" role="alert">
        <p>
          This panel was not written here and has not run. It can read this trace and nothing else. Read it
          first.
        </p>
        <button
          type="button"
          onClick={() =>
            void confirmPanel(session, found).catch((error: unknown) => setFailure(messageOf(error)))
          }
        >
          I have read it: run it
        </button>
        {failure !== null && <p class="query-error">{failure}</p>}
      </div>
      <div ref={element} class="editor" />
    </>
  );
}
