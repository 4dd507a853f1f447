import { useState } from 'preact/hooks';
import { writeDashboard, type Dashboard, type DashboardCard } from '../../../shared/panel/index.ts';
import type { Session } from '../session.ts';
import { libraryDashboards, libraryPanels, saveFile } from './library.ts';
import { PanelCard } from './panel-card.tsx';
import { messageOf } from '../../../shared/model/index.ts';

const MOST_COLUMNS = 4;

/** Panels side by side. Each change is saved. */
export function DashboardPage({ session, id }: { readonly session: Session; readonly id: string }) {
  const [arranging, setArranging] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const found = libraryDashboards.value.find((each) => each.id === id);
  if (found?.dashboard == null) {
    return (
      <div class="empty" role="alert">
        <h2>No dashboard “{id}”</h2>
        <p>{found?.fault ?? 'It is not among those of this machine, nor beside this trace.'}</p>
      </div>
    );
  }
  const { dashboard } = found;
  const change = (next: Partial<Dashboard>) => {
    saveFile(session, dashboard.file, writeDashboard({ ...dashboard, ...next })).then(
      () => setFailure(null),
      (error: unknown) => setFailure(messageOf(error)),
    );
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
        <span class="space" />
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
