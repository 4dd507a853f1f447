import { computed, effect, signal, untracked } from '@preact/signals';
import { followsRange, panelTracks, type PanelModel } from '../../../shared/panel/index.ts';
import type { ExtraTrack } from '../../../shared/view/index.ts';
import { followRow } from '../panels/click.ts';
import { keepLoaded } from '../panels/keep-loaded.ts';
import { libraryPanels } from '../panels/library.ts';
import { shownPins } from '../panels/linked.ts';
import { panelValues } from '../panels/values.ts';
import type { Session } from '../session.ts';
import { loaded } from '../state.ts';

/** The tracks of each pinned panel, by its id and params. */
const tracks = signal<ReadonlyMap<string, readonly ExtraTrack[]>>(new Map());
/** The pinned panels that were read, in their order. */
const pinned = computed(() =>
  shownPins.value.flatMap(({ panel: id, params }) => {
    const found = libraryPanels.value.find((each) => each.id === id);
    const panel = found?.confirmed === true ? found.read.panel : null;
    return panel === null ? [] : [{ key: `${panel.text} ${JSON.stringify(params)}`, panel, params }];
  }),
);
const NO_PINS = '[]';
const keys = computed(() => JSON.stringify(pinned.value.map(({ key }) => key)));

/** The tracks of the pinned panels. */
export const pinnedTracks = computed((): readonly ExtraTrack[] =>
  pinned.value.flatMap(({ key }) => tracks.value.get(key) ?? []),
);

/** Asks for the rows of the pinned panels, and again whenever what they follow changes. Returns what ends that. */
export function keepPinnedTracks(session: Session): () => void {
  let ends: readonly (() => void)[] = [];
  const stop = effect(() => {
    // The same pins, read anew from disk, are no change.
    const [trace, pins] = [loaded.value, keys.value];
    for (const end of ends) end();
    tracks.value = new Map();
    if (trace === null || pins === NO_PINS) return;
    ends = untracked(() =>
      pinned.value.map(({ key, panel, params }) =>
        keepLoaded(session, panel, panelValues(panel, params), ({ model }) => {
          if (!model) return;
          const made = panelTracks(model, {
            followsRange: followsRange(panel),
            whole: trace.summary.range,
            open: openOf(session, model),
          });
          tracks.value = new Map(tracks.peek()).set(key, made);
        }),
      ),
    );
  });
  return () => {
    stop();
    for (const end of ends) end();
  };
}

function openOf(session: Session, model: PanelModel): ((row: number) => void) | null {
  return model.click === null ? null : (row) => void followRow(session, model, row).catch(() => undefined);
}
