import { useEffect, useState } from 'preact/hooks';
import { bindSql } from '../../../shared/engine/index.ts';
import { panelBindings, type Panel, type PanelFault } from '../../../shared/panel/index.ts';
import { ParamControls } from '../param-controls.tsx';
import { openQuery } from '../query/place-sql.ts';
import type { Session } from '../session.ts';
import { asTables, goTo, place, range, selection, loaded } from '../state.ts';
import { drafts, NEW_PANEL } from './drafts.ts';
import { libraryPanels, nameOf, readText } from './library.ts';
import { setPinParams, shownPins } from './linked.ts';
import { Fault, PanelBody } from './panel-body.tsx';
import { PanelEditor } from './panel-editor.tsx';
import { pins, togglePin, type Pin } from './pinned.ts';
import { openPanels } from './places.ts';
import { Unread } from './unread.tsx';
import { changedParams, panelValues } from './values.ts';
import { ShowAs } from '../show-as.tsx';

/** One panel: its picture and its params, and its text while it is edited. */
export function PanelPage({ session, id }: { readonly session: Session; readonly id: string }) {
  const [editing, setEditing] = useState(drafts.peek().has(id));
  const [ranFault, setRanFault] = useState<PanelFault | null>(null);
  const [last, setLast] = useState<Panel | null>(null);
  const found = libraryPanels.value.find((each) => each.id === id);
  const draft = drafts.value.get(id);
  const text = draft ?? found?.text;
  const read = text === undefined ? null : draft === undefined ? (found?.read ?? null) : readText(id, draft);
  // While the text is none, the last that was one stays in sight.
  const panel = read?.panel ?? last;
  useEffect(() => {
    if (read?.panel != null) setLast(read.panel);
  }, [read?.panel?.text]);
  if (text === undefined || read === null) {
    return (
      <div class="empty">
        <h2>No panel “{id}”</h2>
        <p>It is not among the panels of this machine, nor in the folder of this trace.</p>
        <button type="button" onClick={openPanels}>
          All panels
        </button>
      </div>
    );
  }
  if (found !== undefined && !found.confirmed && draft === undefined)
    return <Unread session={session} found={found} />;
  const fault = read.fault ?? ranFault;
  const { params } = place.value;
  const values = panel === null ? {} : panelValues(panel, params);
  const setParams = (next: Pin['params']) => {
    goTo({ params: next });
    const pin = shownPins.peek().find((each) => each.panel === id);
    if (pin !== undefined) setPinParams(session, pin, next);
  };
  return (
    <div class={editing ? 'panel-page editing' : 'panel-page'}>
      {panel !== null && Object.keys(panel.params).length > 0 && (
        <form class="params" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
          <ParamControls
            specs={panel.params}
            values={values}
            set={(change) => setParams(changedParams(panel, params, change))}
          />
        </form>
      )}
      <header class="view-heading">
        <h2>{panel?.title ?? id}</h2>
        <p>{panel?.description}</p>
        <div class="view-tools">
          {panel !== null && id !== NEW_PANEL && found?.from !== 'link' && (
            <button
              type="button"
              aria-pressed={pins.value.some((pin) => pin.panel === id)}
              title="Keep this panel in sight below every view"
              onClick={() => togglePin(session, { panel: id, params: changedParams(panel, params, {}) })}
            >
              Pin
            </button>
          )}
          {panel !== null && (
            <button
              type="button"
              class="plain"
              onClick={() => void openAsQuery(session, panel, values).catch(() => undefined)}
            >
              Open as query
            </button>
          )}
          <button type="button" aria-pressed={editing} onClick={() => setEditing(!editing)}>
            Edit
          </button>
          <ShowAs />
        </div>
      </header>
      {editing && (
        <PanelEditor
          key={id}
          session={session}
          id={id}
          text={text}
          fault={fault}
          suggestedName={id === NEW_PANEL ? 'my-panel' : found?.from === 'shipped' ? `my-${id}` : nameOf(id)}
          close={() => setEditing(false)}
        />
      )}
      <div class="panel-preview">
        {!editing && fault !== null && <Fault fault={fault} />}
        {panel !== null && (
          <PanelBody
            session={session}
            panel={panel}
            values={values}
            asTable={asTables.value}
            onFault={setRanFault}
          />
        )}
      </div>
    </div>
  );
}

/** Opens the SQL of a panel on the query page, with its parameters as they are now. */
async function openAsQuery(
  session: Session,
  panel: Panel,
  values: ReturnType<typeof panelValues>,
): Promise<void> {
  const trace = loaded.peek();
  if (trace === null) return;
  const scope = { trace: trace.summary, range: range.peek(), selection: selection.peek() };
  openQuery(bindSql(panel.select, await panelBindings(session.query, panel, values, scope)));
}
