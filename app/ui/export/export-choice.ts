import type { TracePart } from '../../host/api.ts';
import { TEXT_KINDS } from '../../host/export-request.ts';
import type { ExportRequest, TextAction, TextKind } from '../../host/export-request.ts';
import { WHOLE } from '../../host/part.ts';
import type { TimeRange } from '../../../shared/view/index.ts';

/** What is chosen in the dialog. */
export interface ExportChoice {
  /** On the trace clock, in ns; null for all that is open. */
  readonly range: TimeRange | null;
  /** Names of the processes that are kept; none: all. */
  readonly processes: readonly string[];
  /** What is done with each kind of text, where the user changed it. */
  readonly actions: Partial<Readonly<Record<TextKind, TextAction>>>;
}

/** Everything that is open, and every kind of text redacted in its usual way. */
export const SAFE: ExportChoice = { range: null, processes: [], actions: {} };

/** What looks into a recording that is given away as it is: all of it, with nothing taken out. */
export const NOTHING_OUT: ExportRequest = { part: WHOLE, processes: [], redact: 'none' };

/** The choice as the host takes it, within the part of the recording that is open. */
export function requestOf(
  { range, processes, actions }: ExportChoice,
  opened: TracePart = WHOLE,
): ExportRequest {
  const changed = TEXT_KINDS.flatMap((kind) => {
    const action = actions[kind];
    return action === undefined ? [] : [`${kind}=${action}`];
  });
  const part =
    range === null
      ? opened
      : { ...opened, from: String(Math.floor(range.start)), to: String(Math.ceil(range.end)) };
  return { part, processes, redact: ['all', ...changed].join(',') };
}
