import { effect, signal } from '@preact/signals';
import { missingNeeds } from '../../../shared/sql-file/index.ts';
import type { Session } from '../session.ts';
import { loaded } from '../state.ts';
import { needSql } from '../tables.ts';
import { libraryPanels } from './library.ts';

/** What records what each panel needs and the open trace lacks, by the panel's id; absent where that is not known yet. */
export const lacking = signal<ReadonlyMap<string, readonly string[]>>(new Map());

/** Finds out for all panels, one after the other, while the list of them is shown. Returns what ends that. */
export function findLacking(session: Session): () => void {
  return effect(() => {
    const panels = libraryPanels.value;
    if (loaded.value === null) return;
    const { opened } = loaded.value;
    const query = session.traceQuery(loaded.value);
    const ended = new AbortController();
    void ask(ended.signal);
    return () => ended.abort();

    async function ask(signal: AbortSignal): Promise<void> {
      const found = new Map<string, readonly string[]>();
      const isOver = () => signal.aborted;
      for (const { id, read } of panels) {
        if (read.panel === null || isOver()) continue;
        const { needs } = read.panel;
        try {
          for (const { signal, evidence } of needs) {
            // What shows a signal is seen in columns, where there are any.
            if (signal === undefined || opened.tables === undefined)
              await needSql(`SELECT 1 FROM ${evidence.table}`);
          }
          found.set(
            id,
            (await missingNeeds(query, needs)).map(({ record }) => record),
          );
        } catch {
          // A need that names no table is reported where the panel is opened.
        }
        if (!isOver()) lacking.value = new Map(found);
      }
    }
  });
}
