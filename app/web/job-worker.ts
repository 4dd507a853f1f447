import { connect, workerPort, type Calls } from '../../shared/border/index.ts';
import { messageOf } from '../../shared/model/index.ts';
import { OpenError } from '../host/api.ts';
import { ERROR_FORMS } from '../host/error-forms.ts';

/** Cancel of a job, and what it tells. */
export interface JobCall<Note> {
  readonly signal: AbortSignal | undefined;
  readonly onNote: ((note: Note) => void) | undefined;
}

/**
 * Has a worker answer one call, and ends it. A signal ends it at once, whatever it does.
 * @param kind what an error is where the worker does not say it
 */
export async function runJob<C extends Calls<C>, K extends keyof C & string>(
  start: () => Worker,
  kind: OpenError['kind'],
  name: K,
  given: C[K]['given'],
  { signal, onNote }: JobCall<C[K]['note']>,
): Promise<C[K]['answer']> {
  signal?.throwIfAborted();
  const port = workerPort(start());
  const worker = connect<C>(port, {
    errors: ERROR_FORMS,
    gone: (reason) => new OpenError(kind, `the worker of the page ended: ${reason}`),
  });
  const stop = (): void => worker.end(new DOMException('It was cancelled.', 'AbortError'));
  signal?.addEventListener('abort', stop);
  try {
    return await worker.call(name, given, { onNote });
  } catch (error) {
    if (error instanceof OpenError || signal?.aborted === true) throw error;
    throw new OpenError(kind, messageOf(error));
  } finally {
    signal?.removeEventListener('abort', stop);
    void port.close();
  }
}
