import type { Session } from '../session.ts';
import { panelsShown } from './places.ts';
import { PanelCard } from './panel-card.tsx';
import { pins, setPins } from './pinned.ts';

/** The pinned panels, below the view in use. A dashboard has its own. */
export function Pins({ session }: { readonly session: Session }) {
  const shown = panelsShown.value;
  const all = pins.value;
  const seen = all.filter(({ panel }) => shown?.page !== 'panel' || shown.id !== panel);
  if (seen.length === 0 || shown?.page === 'dashboard' || shown?.page === 'list') return null;
  return (
    <aside class="pins" aria-label="Pinned panels">
      {seen.map((pin) => (
        <PanelCard
          key={pin.panel}
          session={session}
          id={pin.panel}
          params={pin.params}
          setParams={(params) =>
            setPins(
              session,
              all.map((each) => (each.panel === pin.panel ? { ...each, params } : each)),
            )
          }
        >
          <button
            type="button"
            class="icon"
            aria-label={`Unpin ${pin.panel}`}
            onClick={() =>
              setPins(
                session,
                all.filter(({ panel }) => panel !== pin.panel),
              )
            }
          >
            ×
          </button>
        </PanelCard>
      ))}
    </aside>
  );
}
