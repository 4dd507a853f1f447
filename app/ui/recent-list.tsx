import { formatBytes } from '../../shared/model/index.ts';
import type { RecentTrace } from '../host/api.ts';
import { formatWhen } from './link/open-link-dialog.tsx';

interface RecentListProps {
  readonly traces: readonly RecentTrace[];
  readonly choose: (trace: RecentTrace) => void;
}

/** Traces that were opened before, a button each. */
export function RecentList({ traces, choose }: RecentListProps) {
  return (
    <ul>
      {traces.map((trace) => (
        <li key={trace.id}>
          <button type="button" title={trace.path} onClick={() => choose(trace)}>
            <span class="name">{trace.name}</span>
            <span class="meta">{formatBytes(trace.sizeBytes)}</span>
            <span class="meta">{formatWhen(trace.openedAtMs)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
