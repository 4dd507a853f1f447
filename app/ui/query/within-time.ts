import type { Session } from '../session.ts';
import { whenReached } from './reached.ts';

/** Something took longer than it may: it was ended, and the trace is loaded again. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

/**
 * Runs what asks the engine. If the engine works on it for longer than `limit_s`, it is ended, the trace is loaded again,
 * and a {@link TooLongError} is thrown; `onTooLong` is called before that.
 */
export async function withinTime<T>(
  session: Session,
  limit_s: number,
  ask: () => Promise<T>,
  onTooLong: () => void = () => undefined,
): Promise<T> {
  const limit = { timer: undefined as ReturnType<typeof setTimeout> | undefined, reached: false };
  const unreach = whenReached(session, () => {
    limit.timer = setTimeout(() => {
      limit.reached = true;
      onTooLong();
      void session.restart();
    }, limit_s * 1000);
  });
  try {
    return await ask();
  } catch (error) {
    throw limit.reached ? new TooLongError(`it ran for more than ${limit_s} s and was ended`) : error;
  } finally {
    unreach();
    clearTimeout(limit.timer);
  }
}
