import type { Session } from '../session.ts';

/**
 * Calls `start` when the engine reaches what is asked next: it answers in order, so what it does for others before is over
 * then. Returns what makes it not be called any more.
 */
export function whenReached(session: Session, start: () => void): () => void {
  let wanted = true;
  session.query('SELECT 1').then(
    () => wanted && start(),
    // Where the engine fails, what is asked next fails as well and says why.
    () => undefined,
  );
  return () => (wanted = false);
}
