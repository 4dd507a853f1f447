import { Facts } from './facts.tsx';
import { useEffect, useState } from 'preact/hooks';
import { toNumber, toText, type Bindings, type Cell, type Row } from '../../shared/engine/index.ts';
import {
  formatCount,
  formatDuration,
  formatExitCode,
  formatLocalTime,
  formatTime,
} from '../../shared/model/index.ts';
import { modulesNamedIn } from '../../shared/sql/modules.ts';
import { traceRow, type Tables } from '../../shared/tables/index.ts';
import { parentLabel } from '../../shared/threads/index.ts';
import { isEmpty, NO_SELECTION } from '../../shared/link/index.ts';
import processCpuSql from './process-cpu.sql';
import processSql from './process.sql';
import type { Session } from './session.ts';
import { goTo, loaded, selection } from './state.ts';
import { tablesProgress } from './tables.ts';
import threadSql from './thread.sql';
import { useRead } from './use-read.ts';

const RECORDING = [
  'start_utc_ns',
  'utc_offset_minutes',
  'session_name',
  'os_build',
  'clock',
  'events_read',
  'context_switches',
  'ready_threads',
  'events_lost',
  'buffers_lost',
  'redacted',
] as const;

type Recording = Readonly<Record<(typeof RECORDING)[number], string | number | null>>;

const readRecording = (tables: Tables) => traceRow(tables, RECORDING);

type FactList = readonly (readonly [string, string])[];

/** Facts on what is selected, or else on the trace. */
export function Details({ session }: { readonly session: Session }) {
  const chosen = selection.value;
  const trace = loaded.value;
  const origin_ns = trace?.summary.range.start ?? 0;
  const thread = useRow(session, threadSql, chosen.thread && { ...chosen.thread });
  const pid = chosen.pid ?? toNumber(thread?.pid);
  const ts = chosen.thread?.ts ?? chosen.span?.start ?? origin_ns;
  const process = useRow(session, processSql, pid === null ? null : { pid, ts });
  const upid = toNumber(process?.upid);
  const cpu = useRow(session, processCpuSql, upid === null ? null : { upid });
  const recording = useRead(session, 'etw_trace', readRecording);
  return (
    <aside class="details" aria-label="Details">
      {chosen.span !== null && (
        <Part
          title="Selection"
          facts={[
            ['From', formatTime(chosen.span.start, origin_ns)],
            ['To', formatTime(chosen.span.end, origin_ns)],
            ['Length', formatDuration(chosen.span.end - chosen.span.start)],
          ]}
        />
      )}
      {thread !== null && <Part title="Thread" facts={threadFacts(thread, origin_ns)} />}
      {process !== null && (
        <Part title="Process" facts={processFacts(process, toNumber(cpu?.ran_ns), origin_ns)} />
      )}
      {!isEmpty(chosen) && (
        <button type="button" onClick={() => goTo({ selection: NO_SELECTION })}>
          Drop the selection
        </button>
      )}
      {recording !== null && <Part title="Recording" facts={recordingFacts(recording)} />}
    </aside>
  );
}

function Part({ title, facts }: { readonly title: string; readonly facts: FactList }) {
  if (facts.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <Facts facts={facts} />
    </section>
  );
}

/**
 * The first row of a query, asked again when its bindings change; null while there are none, and until it can be asked: of an
 * outline at once, of a trace without columns once its tables are built.
 */
function useRow(session: Session, sql: string, bindings: Bindings | null): Row | null {
  const [row, setRow] = useState<Row | null>(null);
  const built = tablesProgress.value?.built;
  const isOutlined = loaded.value?.opened.tables !== undefined;
  const canAsk = isOutlined || modulesNamedIn(sql).every((module) => built?.has(module));
  const key = JSON.stringify(bindings);
  useEffect(() => {
    let current = true;
    setRow(null);
    if (bindings === null || !canAsk) return;
    session.outline(sql, bindings).then(
      (result) => {
        const [first] = result.rows();
        if (current) setRow(first ?? null);
      },
      // The view that asks at the same time shows why the engine fails.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [session, sql, key, canAsk]);
  return row;
}

function threadFacts(row: Row, origin_ns: number): FactList {
  return known([
    ['Thread id', row.tid],
    ['Name', row.thread],
    ['Base priority', row.base_priority],
    ['Service', row.service],
    ['Created', timeOf(row.create_ts, origin_ns)],
    ['Ended', timeOf(row.exit_ts, origin_ns)],
  ]);
}

function processFacts(row: Row, ran_ns: number | null, origin_ns: number): FactList {
  return known([
    ['Process', row.process],
    ['Process id', row.pid],
    ['Parent', parentLabel(toText(row.parent), toNumber(row.parent_pid))],
    ['Session', row.session],
    ['Created', timeOf(row.create_ts, origin_ns)],
    ['Ended', timeOf(row.exit_ts, origin_ns)],
    ['Exit code', formatExitCode(toNumber(row.exit_code))],
    ['Threads', countOf(row.threads)],
    ['CPU time', ran_ns === null ? null : formatDuration(ran_ns)],
    ['Services', row.services],
    ['Package', row.package],
    ['Command line', row.command_line],
  ]);
}

function recordingFacts(row: Recording): FactList {
  return known([
    ['Started', startOf(row)],
    ['Session', row.session_name],
    ['Windows build', row.os_build],
    ['Clock', row.clock],
    ['Events', countOf(row.events_read)],
    ['Context switches', countOf(row.context_switches)],
    ['Ready threads', countOf(row.ready_threads)],
    ['Events lost', countOf(row.events_lost)],
    ['Buffers lost', countOf(row.buffers_lost)],
    ['Redacted', typeof row.redacted === 'string' ? row.redacted.replaceAll(',', ', ') : null],
  ]);
}

function known(facts: readonly (readonly [string, Cell | undefined])[]): FactList {
  return facts.flatMap(([name, value]) =>
    value === null || value === undefined || value === '' || value instanceof Uint8Array
      ? []
      : ([[name, String(value)]] as const),
  );
}

function timeOf(ts: Cell | undefined, origin_ns: number): string | null {
  return typeof ts === 'number' ? formatTime(ts, origin_ns) : null;
}

function countOf(count: Cell | undefined): string | null {
  return typeof count === 'number' || typeof count === 'bigint' ? formatCount(count) : null;
}

function startOf({ start_utc_ns, utc_offset_minutes }: Recording): string | null {
  return typeof start_utc_ns === 'number'
    ? formatLocalTime(start_utc_ns / 1e6, Number(utc_offset_minutes ?? 0))
    : null;
}
