import { effect } from '@preact/signals';
import type { ExtraTrack } from '../../../shared/view/index.ts';
import type { Session } from '../session.ts';
import { findingsTrack, keepFindings } from './findings.ts';
import { keepPinnedTracks, pinnedTracks } from './panels.ts';

/** Calls `listener` now and with each change of the tracks that no view makes. Returns what ends that. */
export function followTracks(
  session: Session,
  listener: (tracks: readonly ExtraTrack[]) => void,
): () => void {
  const ends = [
    keepFindings(session),
    keepPinnedTracks(session),
    effect(() => listener([findingsTrack.value, ...pinnedTracks.value])),
  ];
  return () => {
    for (const end of ends) end();
  };
}
