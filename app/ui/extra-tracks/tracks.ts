import { effect } from '@preact/signals';
import type { ExtraTrack } from '../../../shared/view/index.ts';
import type { Session } from '../session.ts';
import { findingsTrack, keepFindings } from './findings.ts';
import { keepPinnedTracks, pinnedTracks } from './panels.ts';

/** Who leaves and comes back within this time finds all as it was: a view that is drawn anew breaks nothing off. */
const LINGER_MS = 1_000;

let followers = 0;
/** Ends what is kept; null where nothing is. */
let end: (() => void) | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;

/** Keeps the tracks for one more follower. Returns what lets go of them. */
function keepTracks(session: Session): () => void {
  clearTimeout(leaving);
  followers++;
  if (end === null) {
    const ends = [keepFindings(session), keepPinnedTracks(session)];
    end = () => ends.forEach((each) => each());
  }
  return () => {
    if (--followers > 0) return;
    leaving = setTimeout(() => {
      end?.();
      end = null;
    }, LINGER_MS);
  };
}

/** The tracks that there are now. */
export function tracksNow(): readonly ExtraTrack[] {
  return [findingsTrack.value, ...pinnedTracks.value];
}

/** Calls `listener` now and with each change of the tracks that no view makes. Returns what ends that. */
export function followTracks(
  session: Session,
  listener: (tracks: readonly ExtraTrack[]) => void,
): () => void {
  const ends = [keepTracks(session), effect(() => listener(tracksNow()))];
  return () => {
    for (const end of ends) end();
  };
}
