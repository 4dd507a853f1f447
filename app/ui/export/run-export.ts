import { signal } from '@preact/signals';
import type { OpenTrace } from '../../host/api.ts';
import { exportName, type ExportReport, type ExportRequest } from '../../host/export-request.ts';
import type { Session } from '../session.ts';

/** Whether the dialog is shown. */
export const exportShown = signal(false);

/** How an export stands. */
export type ExportPhase =
  | { readonly kind: 'looking' | 'writing'; readonly fraction: number | null }
  | { readonly kind: 'looked' }
  | { readonly kind: 'written'; readonly where: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Looks into exports and writes them; a new call ends the one before. */
export class ExportRun {
  readonly #session: Session;
  readonly #trace: OpenTrace;
  #abort: AbortController | null = null;
  readonly phase = signal<ExportPhase>({ kind: 'looking', fraction: null });
  /** What was found last; null before the first time. */
  readonly report = signal<ExportReport | null>(null);

  constructor(session: Session, trace: OpenTrace) {
    this.#session = session;
    this.#trace = trace;
  }

  /** Tells what would be in an export. */
  look(request: ExportRequest): Promise<void> {
    return this.#run('looking', async (signal) => {
      await this.#export(request, null, 'looking', signal);
      return { kind: 'looked' };
    });
  }

  /** Writes an export where the user wants it; nothing if they do not say where. */
  async write(request: ExportRequest): Promise<void> {
    const { door } = this.#session;
    if (door.saveAs === undefined) return;
    await this.#run('writing', async (signal) => {
      const target = await door.saveAs?.(exportName(this.#trace.name));
      if (target === null || target === undefined) return { kind: 'looked' };
      await this.#export(request, target.path, 'writing', signal);
      return { kind: 'written', where: await target.done() };
    });
  }

  /** Ends what is under way. */
  end(): void {
    this.#abort?.abort();
  }

  async #export(
    request: ExportRequest,
    output: string | null,
    kind: 'looking' | 'writing',
    signal: AbortSignal,
  ): Promise<void> {
    const onProgress = ({ fraction }: { readonly fraction: number | null }): void => {
      if (!signal.aborted) this.phase.value = { kind, fraction };
    };
    const { host } = this.#session.door;
    this.report.value = await host.export(this.#trace.id, request, output, { onProgress, signal });
  }

  async #run(
    kind: 'looking' | 'writing',
    work: (signal: AbortSignal) => Promise<ExportPhase>,
  ): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.phase.value = { kind, fraction: null };
    try {
      const end = await work(abort.signal);
      if (!abort.signal.aborted) this.phase.value = end;
    } catch (error) {
      if (abort.signal.aborted) return;
      this.phase.value = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }
}
