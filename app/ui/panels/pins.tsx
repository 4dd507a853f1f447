import { tell } from '../link/notices.tsx';
import type { Session } from '../session.ts';
import { libraryPanels } from './library.ts';
import { keepLinked, setPinParams, shownPins, unpin } from './linked.ts';
import { panelsShown } from './places.ts';
import { PanelCard } from './panel-card.tsx';
import { messageOf } from '../../../shared/model/index.ts';

/** The pinned panels, below the view in use. A dashboard has its own. */
export function Pins({ session }: { readonly session: Session }) {
  const shown = panelsShown.value;
  const seen = shownPins.value.filter(({ panel }) => shown?.page !== 'panel' || shown.id !== panel);
  if (seen.length === 0 || shown?.page === 'dashboard' || shown?.page === 'list') return null;
  return (
    <aside class="pins" aria-label="Pinned panels">
      {seen.map((pin) => (
        <PanelCard
          key={pin.panel}
          session={session}
          id={pin.panel}
          params={pin.params}
          setParams={(params) => setPinParams(session, pin, params)}
        >
          {pin.ofLink && isConfirmed(pin.panel) && (
            <button
              type="button"
              title="It came with the link: keep it among your panels, and pinned"
              onClick={() => {
                keepLinked(session, pin).catch((error: unknown) =>
                  tell('The panel was not kept', [messageOf(error)]),
                );
              }}
            >
              Keep
            </button>
          )}
          <button
            type="button"
            class="icon"
            aria-label={`Unpin ${pin.panel}`}
            onClick={() => unpin(session, pin)}
          >
            ×
          </button>
        </PanelCard>
      ))}
    </aside>
  );
}

function isConfirmed(id: string): boolean {
  return libraryPanels.value.some((each) => each.id === id && each.confirmed);
}
