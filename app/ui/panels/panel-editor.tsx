import { useEffect, useRef, useState } from 'preact/hooks';
import type { PanelFault } from '../../../shared/panel/index.ts';
import { createSqlEditor, type SqlEditor } from '../editor/sql-editor.ts';
import { catalogOf } from '../query/catalog-of.ts';
import type { Session } from '../session.ts';
import { NEW_PANEL, setDraft } from './drafts.ts';
import { Fault } from './panel-body.tsx';
import { savePanel } from './save.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** What a {@link PanelEditor} edits. */
export interface PanelEditorProps {
  readonly session: Session;
  readonly id: string;
  readonly text: string;
  readonly fault: PanelFault | null;
  /** Under which name it is saved if the user gives none. */
  readonly suggestedName: string;
  readonly close: () => void;
}

/** The text of a panel. The preview follows what is typed. */
export function PanelEditor({ session, id, text, fault, suggestedName, close }: PanelEditorProps) {
  const element = useRef<HTMLDivElement>(null);
  const editor = useRef<SqlEditor | null>(null);
  const [name, setName] = useState(suggestedName);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (element.current === null) return;
    const made = (editor.current = createSqlEditor(element.current, {
      label: 'Panel',
      text,
      onChange: (next) => setDraft(id, next),
      catalog: () => catalogOf(session),
    }));
    made.focus();
    return () => made.destroy();
  }, [id]);
  useEffect(() => {
    const place = fault?.line == null ? null : { line: fault.line, column: fault.column ?? 1 };
    editor.current?.setError(fault === null ? null : { message: fault.message, place }, { goThere: false });
  }, [fault]);
  const save = async () => {
    try {
      await savePanel(session, id, name, text);
      setFailure(null);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <section class="panel-editor" aria-label="Edit the panel">
      <div ref={element} class="editor" />
      {fault !== null && <Fault fault={fault} />}
      {failure !== null && (
        <p class="query-error" role="alert">
          {failure}
        </p>
      )}
      <form
        class="editor-bar"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label>
          Name{' '}
          <input
            type="text"
            required
            pattern="[a-z0-9][a-z0-9\-]*"
            title="Small letters, digits and -"
            maxLength={56}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Save
        </button>
        <span class="space" />
        <button
          type="button"
          onClick={() => {
            if (id !== NEW_PANEL) setDraft(id, null);
            close();
          }}
        >
          {id === NEW_PANEL ? 'Close' : 'Close without saving'}
        </button>
      </form>
    </section>
  );
}
