import { useEffect } from 'preact/hooks';
import { writeDashboard } from '../../../shared/panel/index.ts';
import type { Session } from '../session.ts';
import { findLacking, lacking } from './available.ts';
import { startDraft } from './drafts.ts';
import { freeName, libraryDashboards, libraryPanels, type LibraryPanel } from './library.ts';
import { pins } from './pinned.ts';
import { openDashboard, openPanel } from './places.ts';
import { saveNewDashboard } from './save.ts';

const GROUPS = [
  ['link', 'With the link'],
  ['user', 'Yours'],
  ['trace', 'Beside this trace'],
  ['shipped', 'With Outrank'],
] as const;

/** All panels and dashboards. */
export function PanelsPage({ session }: { readonly session: Session }) {
  useEffect(() => findLacking(session), [session]);
  const newDashboard = async () => {
    const taken = libraryDashboards.peek().map(({ id }) => id);
    const id = freeName('dashboard', taken);
    const panels = pins.peek().map((pin) => ({ ...pin, width: 1 }));
    const text = writeDashboard({ title: 'New dashboard', columns: 2, panels });
    await saveNewDashboard(session, id, text);
  };
  return (
    <div class="panels-page">
      <header class="view-heading">
        <h2>Panels</h2>
        <p>
          Questions in SQL, drawn: those that come with Outrank, yours, and those in the folder of the trace.
        </p>
        <div class="view-tools">
          <button type="button" class="primary" onClick={() => openPanel(startDraft())}>
            New panel
          </button>
          <button
            type="button"
            title="The pinned panels become its first"
            onClick={() => void newDashboard().catch(() => undefined)}
          >
            New dashboard
          </button>
        </div>
      </header>
      {libraryDashboards.value.length > 0 && (
        <section aria-label="Dashboards">
          <h3>Dashboards</h3>
          <ul class="panel-list">
            {libraryDashboards.value.map(({ id, from, dashboard, fault }) => (
              <li key={id}>
                <button type="button" onClick={() => openDashboard(id)}>
                  <b>{dashboard?.title ?? id}</b>
                  <span>{fault ?? `${dashboard?.panels.length ?? 0} panels`}</span>
                  {from === 'link' && <em>It came with the link.</em>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {GROUPS.map(([from, title]) => {
        const panels = libraryPanels.value.filter((each) => each.from === from);
        return (
          panels.length > 0 && (
            <section key={from} aria-label={title}>
              <h3>{title}</h3>
              <ul class="panel-list">
                {panels.map((each) => (
                  <li key={each.id}>
                    <Item {...each} />
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
}

function Item({ id, read, confirmed }: LibraryPanel) {
  const missing = lacking.value.get(id) ?? [];
  return (
    <button
      type="button"
      class={missing.length > 0 ? 'lacking' : ''}
      aria-label={read.panel?.title ?? id}
      onClick={() => openPanel(id)}
    >
      <b>{read.panel?.title ?? id}</b>
      <span>{read.panel?.description ?? `Line ${read.fault?.line ?? 1}: ${read.fault?.message ?? ''}`}</span>
      {missing.length > 0 && <em>Not recorded: it needs {missing.join('; ')}.</em>}
      {!confirmed && <em>Not written here: its SQL is shown before it runs.</em>}
    </button>
  );
}
