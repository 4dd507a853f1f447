import { signal } from '@preact/signals';
import { messageOf } from '../../../shared/model/index.ts';
import type { SideName } from '../../../shared/compare/index.ts';
import type { RecentTrace } from '../../host/api.ts';
import type { Session } from '../session.ts';
import { loaded, type LoadedTrace } from '../state.ts';
import { comparePlace, setCompare, type MoreTrace } from './place.ts';

/** A further trace of a side: open, on its way, or why it is not there, as a sentence. */
export type More =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly trace: LoadedTrace }
  | { readonly kind: 'failed'; readonly message: string };

/** The further traces of both sides, by their ids. */
export const more = signal<ReadonlyMap<string, More>>(new Map());
/** What is being opened, by its name, and why others that were chosen with it could not be. */
export const adding = signal<{ readonly name: string | null; readonly failed: readonly string[] }>({
  name: null,
  failed: [],
});

/** Opens and closes further traces, one after the other. */
export class MoreTraces {
  readonly #session: Session;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Opens what the user chose for a side. */
  add(chosen: readonly (File | RecentTrace)[], side: SideName): void {
    this.#then(() => {
      adding.value = { name: null, failed: [] };
      return Promise.resolve();
    });
    for (const what of chosen) this.#then(() => this.#add(what, side));
  }

  /** Opens those of these that are not open, and closes others. */
  need(wanted: readonly MoreTrace[]): void {
    for (const [id, of] of more.peek()) {
      if (wanted.some((each) => each.id === id)) continue;
      this.#set(id, null);
      if (of.kind === 'open') this.#close(of.trace);
    }
    for (const each of wanted) {
      if (more.peek().has(each.id)) continue;
      this.#set(each.id, { kind: 'opening' });
      this.#then(() => this.#open(each));
    }
  }

  #then(work: () => Promise<void>): void {
    this.#last = this.#last.then(work);
  }

  async #add(what: File | RecentTrace, side: SideName): Promise<void> {
    const { failed } = adding.peek();
    adding.value = { name: what.name, failed };
    const done = (...failure: string[]) => (adding.value = { name: null, failed: [...failed, ...failure] });
    try {
      const trace = await this.#session.openBeside(what, {});
      const { id, name } = trace.opened;
      const place = comparePlace.peek();
      const known = [loaded.peek()?.opened.id, place?.other, ...(place?.more.map((each) => each.id) ?? [])];
      if (place === null || known.includes(id)) {
        this.#close(trace);
        done(...(place === null ? [] : [`${name} is compared already.`]));
        return;
      }
      this.#set(id, { kind: 'open', trace });
      setCompare({ more: [...place.more, { id, name, side }] });
      done();
    } catch (error) {
      done(messageOf(error));
    }
  }

  /** Opens a trace that a link names, if it was opened before on this machine. */
  async #open({ id, name }: MoreTrace): Promise<void> {
    if (more.peek().get(id)?.kind !== 'opening') return;
    try {
      const known = (await this.#session.door.host.recent()).find((each) => each.id === id);
      if (known === undefined) throw new Error(`${name} is not known on this machine: it is left out.`);
      const trace = await this.#session.openBeside(known, { expected: id });
      if (more.peek().get(id)?.kind === 'opening') this.#set(id, { kind: 'open', trace });
      else this.#close(trace);
    } catch (error) {
      if (more.peek().has(id)) this.#set(id, { kind: 'failed', message: messageOf(error) });
    }
  }

  #set(id: string, of: More | null): void {
    const next = new Map(more.peek());
    if (of === null) next.delete(id);
    else next.set(id, of);
    more.value = next;
  }

  #close({ opened }: LoadedTrace): void {
    this.#session.door.host.close(opened.id).catch(() => undefined);
  }
}
