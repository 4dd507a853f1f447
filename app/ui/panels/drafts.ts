import { signal } from '@preact/signals';

/** Texts that are edited and not saved, by the panel's id. They live as long as the page. */
export const drafts = signal<ReadonlyMap<string, string>>(new Map());

/** The id of a panel that has no file yet. */
export const NEW_PANEL = 'new-panel';

const START = `-- @title My panel
-- @description What it shows, in a sentence.
-- @param top number = 10: How many are shown.
-- @draw bars name=process value=ran_ns
SELECT t.process_name AS process, sum(r.dur) AS ran_ns
FROM etw_run AS r
JOIN etw_thread AS t USING (utid)
WHERE r.utid != 0 AND r.ts + r.dur > :range_start AND r.ts < :range_end
GROUP BY process
ORDER BY ran_ns DESC
LIMIT :top;
`;

/** Begins a panel, or goes on with the one that was begun; its id. */
export function startDraft(): string {
  if (!drafts.peek().has(NEW_PANEL)) setDraft(NEW_PANEL, START);
  return NEW_PANEL;
}

/** Sets the text of a draft; null forgets it. */
export function setDraft(id: string, text: string | null): void {
  const next = new Map(drafts.peek());
  if (text === null) next.delete(id);
  else next.set(id, text);
  drafts.value = next;
}
