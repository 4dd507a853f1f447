import { signal } from '@preact/signals';
import { messageOf } from '../../../shared/model/index.ts';
import type { OpenProgress, RecentTrace } from '../../host/api.ts';
import type { Session } from '../session.ts';
import { loaded, type LoadedTrace } from '../state.ts';
import { setCompare } from './place.ts';

/** The other trace of a comparison. `unknown`: the place names one that is not known on this machine. */
export type Beside =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'opening';
      readonly name: string;
      readonly progress: OpenProgress | null;
      readonly cancel: () => void;
    }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** The trace that it had to be; null for any. */
      readonly expected: string | null;
    }
  | { readonly kind: 'open'; readonly trace: LoadedTrace };

export const beside = signal<Beside>({ kind: 'none' });

/** Opens and closes the other trace. At most one other trace is open at a time. */
export class BesideTrace {
  readonly #session: Session;
  #abort: AbortController | null = null;
  /** What was asked for last by its id: it is not asked for again by itself once it has failed. */
  #asked: string | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Opens what the user chose; with `expected` it must be that trace. */
  async choose(what: File | RecentTrace, expected: string | null): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    const { name } = what;
    const show = (progress: OpenProgress | null) => {
      if (!abort.signal.aborted)
        beside.value = { kind: 'opening', name, progress, cancel: () => this.#cancel(abort) };
    };
    const before = beside.peek();
    if (before.kind === 'open') this.#close(before.trace);
    show(null);
    try {
      const trace = await this.#session.openBeside(what, {
        signal: abort.signal,
        onProgress: show,
        ...(expected === null ? {} : { expected }),
      });
      if (abort.signal.aborted) {
        this.#close(trace);
        return;
      }
      const { id } = trace.opened;
      this.#asked = id;
      beside.value = { kind: 'open', trace };
      setCompare({ other: id, otherName: trace.opened.name });
    } catch (error) {
      if (!abort.signal.aborted) beside.value = { kind: 'failed', expected, message: messageOf(error) };
    }
  }

  /** Opens the trace of this id, if it was opened before on this machine. */
  async need(id: string | null): Promise<void> {
    const now = beside.peek();
    if (now.kind === 'open' && now.trace.opened.id === id) return;
    if (id === this.#asked) return;
    this.#asked = id;
    if (id === null) {
      this.#show({ kind: 'none' });
      return;
    }
    const known = (await this.#session.door.host.recent()).find((each) => each.id === id);
    if (this.#asked !== id) return;
    if (known === undefined) {
      this.#show({ kind: 'unknown' });
      return;
    }
    await this.choose(known, id);
  }

  /** Lets go of the other trace, unless it is the one that is now open. */
  leave(): void {
    const now = beside.peek();
    if (now.kind === 'open' && now.trace.opened.id === loaded.peek()?.opened.id) return;
    this.#abort?.abort();
    this.#asked = null;
    this.#show({ kind: 'none' });
  }

  #show(next: Beside): void {
    const now = beside.peek();
    if (now.kind === 'open') this.#close(now.trace);
    beside.value = next;
  }

  #cancel(abort: AbortController): void {
    abort.abort();
    this.#asked = null;
    beside.value = { kind: 'none' };
    setCompare({ other: null, otherName: '' });
  }

  #close({ opened }: LoadedTrace): void {
    this.#session.door.host.close(opened.id).catch(() => undefined);
  }
}
