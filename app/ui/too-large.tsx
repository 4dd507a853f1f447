import { formatBytes } from '../../shared/model/index.ts';
import type { TraceOverview } from '../host/overview.ts';
import type { Session } from './session.ts';

/** Why something needs more of a trace than the engine holds, and the choice of a part. `what` is it, as "This view". */
export function TooLarge({
  session,
  overview,
  what,
}: {
  readonly session: Session;
  readonly overview: TraceOverview;
  readonly what: string;
}) {
  const needed = overview.choices.reduce((sum, { engine_bytes }) => sum + engine_bytes, 0);
  return (
    <div class="view-error" role="alert">
      <p>
        {what} needs all events in the engine. They take about {formatBytes(needed)} there, and the engine
        holds about {formatBytes(overview.limit_bytes)}. Open a part of the trace for it.
      </p>
      <button type="button" onClick={() => session.choosePart(overview)}>
        Choose a part
      </button>
    </div>
  );
}
