import { views, type AnyView } from '../../views/index.ts';
import { comparePlace, openCompare } from './compare/place.ts';
import { libraryDashboards } from './panels/library.ts';
import { openDashboard, openPanels, panelsShown } from './panels/places.ts';
import { openQuery } from './query/place-sql.ts';
import type { Session } from './session.ts';
import { currentView, openView, queryShown } from './state.ts';
import { useUnrecorded } from './unrecorded.ts';

/** The views, at the side. A view is paler where the trace holds no events for it. */
export function Rail({ session }: { readonly session: Session }) {
  const unrecorded = useUnrecorded(session);
  return (
    <div class="rail">
      <nav aria-label="Views">
        <h2>Views</h2>
        <ul>
          {views.map((view) => (
            <li key={view.id}>
              <ViewButton view={view} unrecorded={unrecorded(view)} />
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Two traces">
        <h2>Two traces</h2>
        <ul>
          <li>
            <button
              type="button"
              title="What changed from this trace to another one, or the other way round? (B)"
              aria-current={comparePlace.value !== null ? 'page' : undefined}
              onClick={openCompare}
            >
              Compare with…
            </button>
          </li>
        </ul>
      </nav>
      <nav aria-label="SQL">
        <h2>SQL</h2>
        <ul>
          <li>
            <button
              type="button"
              title="Ask the trace in SQL (Q)"
              aria-current={queryShown.value ? 'page' : undefined}
              onClick={() => openQuery()}
            >
              Query
            </button>
          </li>
          <li>
            <button
              type="button"
              title="Questions in SQL, drawn (P)"
              aria-current={
                panelsShown.value?.page === 'list' || panelsShown.value?.page === 'panel' ? 'page' : undefined
              }
              onClick={openPanels}
            >
              Panels
            </button>
          </li>
          {libraryDashboards.value.map(({ id, from, dashboard }) => (
            <li key={id}>
              <button
                type="button"
                title={dashboard?.title}
                aria-current={
                  panelsShown.value?.page === 'dashboard' && panelsShown.value.id === id ? 'page' : undefined
                }
                onClick={() => openDashboard(id)}
              >
                {dashboard?.title ?? id}
                {from === 'link' && ' (link)'}
              </button>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function ViewButton({ view, unrecorded }: { readonly view: AnyView; readonly unrecorded: string | null }) {
  const { id, title, question } = view;
  return (
    <button
      type="button"
      class={unrecorded === null ? undefined : 'unrecorded'}
      title={unrecorded === null ? question : `${question}\n${unrecorded}`}
      aria-current={currentView.value?.id === id ? 'page' : undefined}
      onClick={() => openView(id)}
    >
      {title}
    </button>
  );
}
