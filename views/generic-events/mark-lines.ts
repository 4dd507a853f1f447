import type { Mark, MarkedEvent, ViewContext } from '../../shared/view/index.ts';
import { MAX_MARKS } from '../../shared/view/index.ts';
import type { EventsModel, GenericEvent } from './model.ts';
import type { params } from './params.ts';

/** What a click must do to show or hide events as lines through all views: the marks that must be toggled. */
export function marksToToggle(
  events: readonly MarkedEvent[],
  marks: readonly Mark[],
): readonly MarkedEvent[] {
  const marked = new Set(marks.map(({ ts }) => ts));
  const missing = events.filter(({ ts }) => !marked.has(ts));
  return missing.length > 0 ? missing : events;
}

/** What an event is marked as. */
export function markOf({ ts, event }: GenericEvent): MarkedEvent {
  return { ts, label: event };
}

/** Adds a button that marks the events that are listed, as many as there are letters, and takes the marks away again. */
export function addMarkButton(
  parent: HTMLElement,
  { events }: EventsModel,
  context: ViewContext<typeof params>,
): () => void {
  if (context.onSelection === undefined || events.length === 0) return () => undefined;
  const shown = events.slice(0, MAX_MARKS).map(markOf);
  let marks: readonly Mark[] = [];
  const { ownerDocument } = parent;
  const row = parent.appendChild(ownerDocument.createElement('div'));
  row.className = 'buttons';
  const button = row.appendChild(ownerDocument.createElement('button'));
  button.type = 'button';
  const count = shown.length < events.length ? `the first ${shown.length}` : 'them';
  button.addEventListener('click', () => {
    for (const event of marksToToggle(shown, marks)) context.toggleMark?.(event);
  });
  return context.onSelection((_, now) => {
    marks = now;
    const marked = new Set(marks.map(({ ts }) => ts));
    const isShown = shown.every(({ ts }) => marked.has(ts));
    button.textContent = isShown ? 'Hide the lines' : `Show ${count} as vertical lines`;
  });
}
