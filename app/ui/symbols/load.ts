import { effect, signal } from '@preact/signals';
import type { OpenTrace } from '../../host/api.ts';
import type { SymbolProgress, SymbolReport } from '../../host/symbols/report.ts';
import { loadedView } from '../view-parts/load-parts.ts';
import type { Session } from '../session.ts';
import { loaded, phase } from '../state.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** What became of the symbols of the open trace. */
export type SymbolState =
  | { readonly kind: 'off' }
  | { readonly kind: 'loading'; readonly progress: SymbolProgress | null; readonly cancel: () => void }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'loaded'; readonly report: SymbolReport };

const OFF: SymbolState = { kind: 'off' };

export const symbolsShown = signal(false);
export const symbolState = signal<SymbolState>(OFF);

/** The symbol path that was used last on this machine; null if none was. */
export const symbolPath = signal(localStorage.getItem('symbol-path'));
/** Whether the user wants symbols for every trace. */
export const symbolsAlways = signal(localStorage.getItem('symbols-always') === 'yes');

/** Looks for symbols, and has views loaded again with the names. */
export async function loadSymbols(session: Session, path: string): Promise<void> {
  const opened = loaded.peek()?.opened;
  if (opened === undefined || symbolState.peek().kind === 'loading') return;
  symbolPath.value = path;
  localStorage.setItem('symbol-path', path);
  const abort = new AbortController();
  const cancel = () => abort.abort();
  const isShown = () => loaded.peek()?.opened === opened;
  const show = (state: SymbolState) => {
    if (isShown()) symbolState.value = state;
  };
  show({ kind: 'loading', progress: null, cancel });
  try {
    const report = await session.door.host.loadSymbols(opened.id, path, {
      signal: abort.signal,
      onProgress: (progress) => show({ kind: 'loading', progress, cancel }),
    });
    show({ kind: 'loaded', report });
    const trace = loaded.peek();
    // What views keep of a trace they keep by its object.
    if (trace !== null && isShown()) phase.value = { kind: 'loaded', trace: { ...trace, hasSymbols: true } };
  } catch (error) {
    if (abort.signal.aborted) show(OFF);
    else show({ kind: 'failed', message: messageOf(error) });
  }
}

/** Forgets what is known with each trace that is opened, and loads its symbols after its first picture if the user wants that. */
export function followTraces(session: Session): void {
  let of: OpenTrace | null = null;
  let begun: OpenTrace | null = null;
  effect(() => {
    const opened = loaded.value?.opened ?? null;
    if (opened !== of) {
      of = opened;
      const before = symbolState.peek();
      if (before.kind === 'loading') before.cancel();
      symbolState.value = OFF;
    }
    const path = symbolPath.peek();
    if (opened === null || begun === opened || loadedView.value === null) return;
    begun = opened;
    if (symbolsAlways.peek() && path !== null) void loadSymbols(session, path);
  });
  effect(() => localStorage.setItem('symbols-always', symbolsAlways.value ? 'yes' : 'no'));
}
