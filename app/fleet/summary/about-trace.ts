import { readFields, readShapes, textsOf, type EventShape } from '../../../shared/events/index.ts';
import { exactNumber, numberAt, textAt, type Tables } from '../../../shared/tables/index.ts';

const NUMBERS = [
  ...(['start_ts', 'dur_ns', 'cpu_count', 'cpu_mhz', 'os_build'] as const),
  ...(['events_read', 'events_lost', 'buffers_lost'] as const),
] as const;
const TEXTS = ['os_version', 'redacted'] as const;

/** What a recording says of itself and of its machine. */
export interface AboutTrace {
  /** The row of `etw_trace`. */
  readonly trace: Readonly<
    Record<(typeof NUMBERS)[number], number | null> & Record<(typeof TEXTS)[number], string | null>
  >;
  /** The start in UTC in ns, which a number cannot hold. */
  readonly start_utc_ns: number | bigint | null;
  readonly computer: string | null;
  readonly memory_mb: number | null;
}

/** What a recording says of itself; null for a Perfetto trace that was not converted from an `.etl`. */
export async function readAboutTrace(tables: Tables): Promise<AboutTrace | null> {
  for await (const { columns } of tables.batches('etw_trace', ['start_utc_ns', ...NUMBERS, ...TEXTS])) {
    const numbers = NUMBERS.map((name) => [name, numberAt(columns[name], 0)]);
    const texts = TEXTS.map((name) => [name, textAt(columns[name], 0)]);
    const trace = Object.fromEntries([...numbers, ...texts]) as AboutTrace['trace'];
    return { trace, start_utc_ns: exactNumber(columns.start_utc_ns), ...(await readMachine(tables)) };
  }
  return null;
}

/** What names the machine, and its memory, in the fields of an event. */
const FIELDS = ['ComputerName', 'MemSize'] as const;

/** What the first events tell that have these fields. */
async function readMachine(tables: Tables): Promise<Pick<AboutTrace, 'computer' | 'memory_mb'>> {
  const shapes = await readShapes(tables);
  const mayTell = Uint8Array.from(shapes, (shape) => Number(tellsMachine(shape)));
  const found: Partial<Record<(typeof FIELDS)[number], unknown>> = {};
  if (mayTell.includes(1)) {
    const batches = tables.batches('etw_generic_event', ['shape', 'values'], undefined, 'once');
    for await (const { rowCount, columns } of batches) {
      for (let row = 0; row < rowCount; row++) {
        const number = columns.shape.values[row] ?? 0;
        const shape = mayTell[number] === 1 ? shapes[number] : undefined;
        if (shape === undefined) continue;
        const fields = readFields(textsOf(shape, textAt(columns.values, row) ?? '').fields);
        for (const name of FIELDS) found[name] ??= fields?.[name];
      }
      if (FIELDS.every((name) => found[name] != null)) break;
    }
  }
  const { ComputerName: computer, MemSize: memory } = found;
  const name = typeof computer === 'string' ? computer.replace(/^ +| +$/g, '') : '';
  return {
    computer: name === '' ? null : name,
    memory_mb: typeof memory === 'number' && memory !== 0 ? memory : null,
  };
}

/** Where texts are whole, what an event says is one value: any may tell. */
function tellsMachine({ provider, fields }: EventShape): boolean {
  return (
    provider === 'SysConfig' && (!fields.includes('"') || FIELDS.some((name) => fields.includes(`"${name}"`)))
  );
}
