import { useState } from 'preact/hooks';
import {
  MOST_COLUMNS,
  writeDashboard,
  type Dashboard,
  type DashboardCard,
} from '../../../shared/panel/index.ts';
import type { Session } from '../session.ts';
import { libraryDashboards, libraryPanels, saveFile } from './library.ts';
import { setLinkedDashboard } from './linked.ts';
import { keepDashboard } from './linked-dashboard.ts';
import { PanelCard } from './panel-card.tsx';
import { openDashboard } from './places.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** Panels side by side. Each change is saved; that of a link lasts until the trace is closed, unless it is kept. */
export function DashboardPage({ session, id }: { readonly session: Session; readonly id: string }) {
  const [arranging, setArranging] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const found = libraryDashboards.value.find((each) => each.id === id);
  if (found?.dashboard == null) {
    return (
      <div class="empty" role="alert">
        <h2>No dashboard “{id}”</h2>
        <p>{found?.fault ?? 'It is not among those of this machine, nor in the folder of this trace.'}</p>
      </div>
    );
  }
  const { dashboard, from } = found;
  const attempt = (done: Promise<unknown>) => {
    done.then(
      () => setFailure(null),
      (error: unknown) => setFailure(messageOf(error)),
    );
  };
  const change = (next: Partial<Dashboard>) => {
    const changed = { ...dashboard, ...next };
    if (from === 'link') setLinkedDashboard(changed);
    else attempt(saveFile(session, dashboard.file, writeDashboard(changed)));
  };
  const { panels, columns } = dashboard;
  const changeCard = (at: number, card: Partial<DashboardCard>) =>
    change({ panels: panels.map((each, index) => (index === at ? { ...each, ...card } : each)) });
  const move = (at: number, to: number) => {
    const rest = panels.filter((_, index) => index !== at);
    change({ panels: [...rest.slice(0, to), ...panels.slice(at, at + 1), ...rest.slice(to)] });
  };
  return (
    <div class="dashboard-page">
      <header class="view-heading">
        {arranging ? (
          <input
            type="text"
            aria-label="Title"
            value={dashboard.title}
            maxLength={200}
            onChange={({ currentTarget }) => change({ title: currentTarget.value || 'Dashboard' })}
          />
        ) : (
          <h2>{dashboard.title}</h2>
        )}
        {from === 'link' && <p>It came with the link.</p>}
        <span class="space" />
        {from === 'link' && (
          <Keep
            dashboard={dashboard}
            keep={() => attempt(keepDashboard(session, dashboard).then(openDashboard))}
          />
        )}
        {arranging && (
          <AddPanel add={(panel) => change({ panels: [...panels, { panel, params: {}, width: 1 }] })} />
        )}
        {arranging && (
          <label>
            Columns{' '}
            <input
              type="number"
              min={1}
              max={MOST_COLUMNS}
              value={columns}
              onChange={({ currentTarget: { valueAsNumber: next } }) =>
                next >= 1 && next <= MOST_COLUMNS && change({ columns: Math.floor(next) })
              }
            />
          </label>
        )}
        <button type="button" aria-pressed={arranging} onClick={() => setArranging(!arranging)}>
          Arrange
        </button>
      </header>
      {failure !== null && (
        <p class="query-error" role="alert">
          {failure}
        </p>
      )}
      <div class="dashboard" style={{ '--columns': columns }}>
        {panels.map(({ panel, params, width }, at) => (
          <div key={`${panel}-${at}`} style={{ gridColumn: `span ${Math.min(width, columns)}` }}>
            <PanelCard
              session={session}
              id={panel}
              params={params}
              setParams={(next) => changeCard(at, { params: { ...next } })}
            >
              {arranging && (
                <>
                  <button type="button" disabled={at === 0} onClick={() => move(at, at - 1)}>
                    Earlier
                  </button>
                  <button type="button" disabled={at === panels.length - 1} onClick={() => move(at, at + 1)}>
                    Later
                  </button>
                  <button
                    type="button"
                    onClick={() => changeCard(at, { width: width >= columns ? 1 : width + 1 })}
                  >
                    {width >= columns ? 'Narrow' : 'Wider'}
                  </button>
                  <button
                    type="button"
                    onClick={() => change({ panels: panels.filter((_, index) => index !== at) })}
                  >
                    Remove
                  </button>
                </>
              )}
            </PanelCard>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Keeps a dashboard of a link as a file. What is kept counts as read, so all its panels must have been. */
function Keep({ dashboard, keep }: { readonly dashboard: Dashboard; readonly keep: () => void }) {
  const unread = new Set(libraryPanels.value.filter(({ confirmed }) => !confirmed).map(({ id }) => id));
  const isRead = dashboard.panels.every(({ panel }) => !unread.has(panel));
  return (
    <button
      type="button"
      disabled={!isRead}
      title={
        isRead ? 'Keep it and its panels among yours' : 'It can be kept once each of its panels has been read'
      }
      onClick={keep}
    >
      Keep
    </button>
  );
}

function AddPanel({ add }: { readonly add: (id: string) => void }) {
  return (
    <select
      aria-label="Add a panel"
      value=""
      onChange={({ currentTarget }) => {
        add(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="" disabled>
        Add a panel…
      </option>
      {libraryPanels.value.map(({ id, read }) => (
        <option key={id} value={id}>
          {read.panel?.title ?? id}
        </option>
      ))}
    </select>
  );
}
