import { signal } from '@preact/signals';
import { linkedTrace, makeLink, withoutTexts, writeState } from '../../../shared/link/index.ts';
import type { Gift, OpenOptions, OpenTrace, SentTrace } from '../../host/api.ts';
import { exportName, type ExportReport, type ExportRequest } from '../../host/export-request.ts';
import { stateHere } from '../link/copy-link.ts';
import { noteServer } from '../link/servers.ts';
import type { Session } from '../session.ts';
import type { Destination } from './destination.tsx';
import { messageOf } from '../../../shared/model/index.ts';

/** Whether the dialog is shown. */
export const exportShown = signal(false);

/** How an export stands. */
export type ExportPhase =
  | { readonly kind: 'looking' | 'writing'; readonly fraction: number | null }
  | { readonly kind: 'looked' }
  | { readonly kind: 'written'; readonly where: string }
  | { readonly kind: 'sent'; readonly link: string; readonly deleteToken: string | null }
  | { readonly kind: 'failed'; readonly message: string };

/** Looks into exports and gives them away; a new call ends the one before. */
export class ExportRun {
  readonly #session: Session;
  readonly #trace: OpenTrace;
  #abort: AbortController | null = null;
  readonly phase = signal<ExportPhase>({ kind: 'looking', fraction: null });
  /** What was found last; null before the first time, and where it cannot be told. */
  readonly report = signal<ExportReport | null>(null);

  constructor(session: Session, trace: OpenTrace) {
    this.#session = session;
    this.#trace = trace;
  }

  /** Tells what would be in an export, unless another call comes within `after_ms`. */
  look(request: ExportRequest, after_ms: number): Promise<void> {
    return this.#run('looking', async (options) => {
      await new Promise((resolve) => setTimeout(resolve, after_ms));
      options.signal?.throwIfAborted();
      this.report.value = await this.#session.door.host.export(this.#trace.id, request, null, options);
      return { kind: 'looked' };
    });
  }

  /** Gives the trace away, once the user has said where a file of it is to be; nothing if they do not. */
  give(gift: Gift, destination: Destination): Promise<void> {
    return this.#run('writing', async (options) => {
      const { host } = this.#session.door;
      const { id, name } = this.#trace;
      if (destination.kind === 'server') return this.#send(gift, destination, options);
      const suggested = exportName(name);
      const isBundle = destination.kind === 'bundle';
      const target = await this.#session.door.saveAs?.(
        isBundle ? suggested.replace(/(\.redacted)?\.pftrace$/, '.outrank') : suggested,
      );
      if (target === null || target === undefined) return { kind: 'looked' };
      if (isBundle) await host.bundle(id, gift, writeState(this.#placeFor(gift)), target.path, options);
      else if (gift !== null) this.report.value = await host.export(id, gift, target.path, options);
      return { kind: 'written', where: await target.done() };
    });
  }

  /** Ends what is under way. */
  end(): void {
    this.#abort?.abort();
  }

  async #send(
    gift: Gift,
    { server }: Extract<Destination, { kind: 'server' }>,
    options: OpenOptions,
  ): Promise<ExportPhase> {
    const sent: SentTrace = await this.#session.door.host.send(this.#trace.id, gift, server, options);
    if (sent.id === this.#trace.id) noteServer(sent.id, server.origin);
    const state = { ...this.#placeFor(gift), trace: linkedTrace(sent, server.origin) };
    const link = await makeLink(state, sent.url);
    await this.#session.keepLink(link, state);
    return { kind: 'sent', link, deleteToken: sent.deleteToken };
  }

  /** The place that is shown; what goes with an export says no texts. */
  #placeFor(gift: Gift) {
    const here = stateHere();
    if (here === null) throw new Error('no trace is open');
    return gift === null ? here : withoutTexts(here);
  }

  async #run(
    kind: 'looking' | 'writing',
    work: (options: OpenOptions) => Promise<ExportPhase>,
  ): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.phase.value = { kind, fraction: null };
    const onProgress = ({ fraction }: { readonly fraction: number | null }): void => {
      if (!abort.signal.aborted) this.phase.value = { kind, fraction };
    };
    try {
      const end = await work({ onProgress, signal: abort.signal });
      if (!abort.signal.aborted) this.phase.value = end;
    } catch (error) {
      if (abort.signal.aborted) return;
      this.phase.value = { kind: 'failed', message: messageOf(error) };
    }
  }
}
