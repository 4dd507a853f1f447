import { numberAt, textAt, type Stretch, type Tables } from '../tables/index.ts';
import type { NamedProcess } from './labels.ts';
import { loadProcesses } from './processes.ts';

/** A span in which a process had the focus. */
export interface FocusSpan extends NamedProcess {
  readonly ts: number;
  readonly te: number;
  /** Terminal session. */
  readonly session: number | null;
  readonly upid: number | null;
  readonly pid: number;
  /** It had the focus before the recording. */
  readonly open_start: boolean;
  /** It still had the focus when the recording ended. */
  readonly open_end: boolean;
}

/** Who had the focus when, in the order of time. */
export async function loadFocus(tables: Tables): Promise<readonly FocusSpan[]> {
  const processes = await loadProcesses(tables);
  const spans: FocusSpan[] = [];
  const names = ['ts', 'te', 'session', 'upid', 'pid', 'open_start', 'open_end'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_focus', names))
    for (let row = 0; row < rowCount; row++) {
      const upid = numberAt(columns.upid, row);
      const about = upid === null ? undefined : processes.get(upid);
      spans.push({
        ts: columns.ts.values[row] ?? 0,
        te: columns.te.values[row] ?? 0,
        session: numberAt(columns.session, row),
        upid,
        pid: columns.pid.values[row] ?? 0,
        process: about?.process ?? null,
        services: about?.services ?? null,
        open_start: columns.open_start.values[row] === 1,
        open_end: columns.open_end.values[row] === 1,
      });
    }
  return spans.sort((a, b) => a.ts - b.ts);
}

/** The spans of the focus that a moment lies in: one for each session. */
export function focusAt(spans: readonly FocusSpan[], ts: number): readonly FocusSpan[] {
  return spans.filter((span) => span.ts <= ts && span.te > ts);
}

/** What the user did, as `etw_input` has it. */
export interface UserInput {
  readonly ts: number;
  readonly kind: string;
  readonly code: number | null;
  readonly key_name: string | null;
  readonly x: number | null;
  readonly y: number | null;
}

/** What the user did from a time on, until another one, in the order of time; ways of the mouse only with `moves`. */
export async function loadInputs(
  tables: Tables,
  range: Stretch,
  moves: boolean,
): Promise<readonly UserInput[]> {
  const inputs: UserInput[] = [];
  const names = ['ts', 'kind', 'code', 'key_name', 'x', 'y'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_input', names, range))
    for (let row = 0; row < rowCount; row++) {
      const [ts = 0, kind] = [columns.ts.values[row], textAt(columns.kind, row) ?? ''];
      if (ts < range.start || ts >= range.end || (!moves && kind === 'mouse_move')) continue;
      inputs.push({
        ts,
        kind,
        code: numberAt(columns.code, row),
        key_name: textAt(columns.key_name, row),
        x: numberAt(columns.x, row),
        y: numberAt(columns.y, row),
      });
    }
  return inputs.sort((a, b) => a.ts - b.ts);
}
