import type { Selection, ViewContext } from '../../shared/view/index.ts';
import type { IoModel } from './model.ts';
import type { params } from './params.ts';
import { othersWords, waitWords } from './words.ts';

/** The listed I/O that is chosen; -1 if none is. */
export function chosenRow({ ios }: IoModel, { span, thread }: Selection): number {
  return ios.findIndex(
    ({ ts, dur, tid }) => ts === span?.start && ts + (dur ?? 0) === span.end && tid === (thread?.tid ?? null),
  );
}

/** Adds a line that says who waited for the chosen I/O, and leads on to the wake chain of that wait. */
export function addChosenWait(
  parent: HTMLElement,
  model: IoModel,
  context: ViewContext<typeof params>,
): () => void {
  const line = parent.appendChild(parent.ownerDocument.createElement('p'));
  line.className = 'stats-note';
  line.style.padding = '0 12px 8px';
  const end = context.onSelection?.((selection) => {
    const row = chosenRow(model, selection);
    const [io, wait, others] = [model.ios[row], model.waits?.[row] ?? null, model.others?.[row] ?? null];
    line.hidden = io === undefined;
    line.textContent =
      model.waits === null
        ? 'Looking for who waited for it…'
        : wait === null
          ? 'No wait of its thread ended with it, or none was recorded.'
          : `Until it ended, ${waitWords(wait)}. `;
    if (io?.path != null) line.prepend(`${io.path}: `);
    if (others !== null) line.append(` As it ended, ${othersWords(others)}. `);
    const [ts, tid] = [wait?.run_ts ?? null, io?.tid ?? null];
    if (ts === null || tid === null) return;
    const button = line.appendChild(parent.ownerDocument.createElement('button'));
    button.type = 'button';
    button.textContent = 'Show its wake chain';
    button.addEventListener('click', () => {
      context.openView('wake-chain', { ts, tid, direction: 'backward' });
    });
  });
  return end ?? (() => undefined);
}
