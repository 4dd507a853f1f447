import type { Selection, ViewContext } from '../../shared/view/index.ts';
import type { EventsModel } from './model.ts';
import type { params } from './params.ts';

/** The ids of activities in a header, by which events are looked for. */
const ACTIVITIES = new Set(['ActivityId', 'RelatedActivityId']);

/** The listed event that is chosen; -1 if none is. */
export function chosenEvent({ events }: EventsModel, { span }: Selection): number {
  return events.findIndex(({ ts }) => ts === span?.start && ts === span.end);
}

/** Adds a line with the header of the chosen event; the id of an activity leads to all events of that activity. */
export function addChosenEvent(
  parent: HTMLElement,
  model: EventsModel,
  context: ViewContext<typeof params>,
): () => void {
  const { ownerDocument } = parent;
  const line = parent.appendChild(ownerDocument.createElement('p'));
  line.className = 'stats-note';
  line.style.padding = '0 12px 8px';
  const end = context.onSelection?.((selection) => {
    const event = model.events[chosenEvent(model, selection)];
    const header = Object.entries(event?.header ?? {});
    line.hidden = header.length === 0;
    line.textContent = '';
    for (const [name, value] of header) {
      line.append(`${line.textContent === '' ? '' : ', '}${name} ${value ?? ''}`);
      if (!ACTIVITIES.has(name) || typeof value !== 'string' || value === context.params.search) continue;
      const button = ownerDocument.createElement('button');
      button.type = 'button';
      button.textContent = 'Its events';
      button.title = `Lists the events of any provider that belong to ${value}, or are related to it`;
      button.addEventListener('click', () => {
        context.setParams({ search: value, provider: null, event: null });
      });
      line.append(' ', button);
    }
  });
  return end ?? (() => undefined);
}
