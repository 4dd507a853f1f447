import { useEffect, useState } from 'preact/hooks';
import { toText } from '../../../shared/engine/index.ts';
import type { Session } from '../session.ts';
import processesSql from './processes.sql';

interface ProcessListProps {
  readonly session: Session;
  readonly chosen: readonly string[];
  readonly choose: (names: readonly string[]) => void;
}

/** The processes of the trace by name; none chosen stands for all. */
export function ProcessList({ session, chosen, choose }: ProcessListProps) {
  const [names, setNames] = useState<readonly string[] | null>(null);
  useEffect(() => {
    void session.outline(processesSql).then(
      (result) => setNames(Array.from(result.rows(), ({ name }) => toText(name ?? null) ?? '')),
      () => setNames([]),
    );
  }, []);
  return (
    <label class="export-processes">
      Processes <span class="hint">none chosen: all. Of others only scheduling stays.</span>
      <select
        multiple
        size={5}
        aria-label="Processes"
        disabled={names === null}
        onChange={({ currentTarget }) =>
          choose(Array.from(currentTarget.selectedOptions, ({ value }) => value))
        }
      >
        {(names ?? []).map((name) => (
          <option key={name} value={name} selected={chosen.includes(name)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
