import { START } from '../../../shared/link/index.ts';
import type { ShownPlace } from '../../../views/compare/index.ts';
import type { Session } from '../session.ts';
import { goTo, loaded, type LoadedTrace } from '../state.ts';

/** Opens a place of a trace: in the open one, or in another one, from which the way back leads here. */
export function openThere(session: Session, trace: LoadedTrace | undefined, there: ShownPlace): void {
  if (trace === undefined) return;
  const { id } = trace.opened;
  if (id === loaded.peek()?.opened.id) goTo(there);
  else void session.comeBack({ ...START, ...there, trace: id });
}
