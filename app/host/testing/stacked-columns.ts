import type { TableName, Tables } from '../../../shared/tables/index.ts';
import { columnsOf, rowCountOf, type Columns } from './compared-rows.ts';

const MAPPING = ['mapping', 'module', 'start', 'size_bytes', 'is_image', 'guid'] as const;
/** Of what has no call, and of the caller of the outermost. */
const NONE = -1;

/** Numbers texts, the same one alike. */
class Numbers {
  readonly #known = new Map<string, number>();

  of(text: string): number {
    let number = this.#known.get(text);
    if (number === undefined) this.#known.set(text, (number = this.#known.size));
    return number;
  }
}

/**
 * Reads tables whose calls are numbered apart in columns and in SQL. In their place each row has a number that stands for its whole stack,
 * with all that is known of each frame: the same for the same stack, in whatever tables that one reads.
 */
export class StackedColumns {
  readonly #frames = new Numbers();
  readonly #stacks = new Numbers();
  readonly #read = new Map<Tables, Promise<readonly number[]>>();

  /** The columns `names` of a table with a `callsite`, and `stack`. */
  async of(tables: Tables, table: TableName, names: readonly string[]): Promise<Columns> {
    const reading = this.#read.get(tables) ?? this.#stacksOf(tables);
    this.#read.set(tables, reading);
    const stacks = await reading;
    const columns = await columnsOf(tables, table, [...names, 'callsite']);
    const callsites = columns.get('callsite') ?? [];
    columns.delete('callsite');
    const stackAt = (callsite: unknown) => (callsite === null ? NONE : stacks[Number(callsite)]);
    return columns.set('stack', callsites.map(stackAt));
  }

  /** The number of the stack of each call. */
  async #stacksOf(tables: Tables): Promise<readonly number[]> {
    const frames = await this.#framesOf(tables);
    const calls = await columnsOf(tables, 'etw_callsite', ['caller', 'depth', 'frame']);
    const [callers, depths, ofCalls] = ['caller', 'depth', 'frame'].map((name) => calls.get(name) ?? []);
    const stacks: number[] = [];
    // A call comes after its caller.
    for (let call = 0; call < rowCountOf(calls); call++) {
      const caller = callers?.[call];
      const stack = caller === null ? NONE : (stacks[Number(caller)] ?? NONE);
      const frame = frames[Number(ofCalls?.[call])];
      stacks.push(this.#stacks.of(`${String(depths?.[call])} ${String(frame)} ${stack}`));
    }
    return stacks;
  }

  /** The number of each frame. */
  async #framesOf(tables: Tables): Promise<readonly number[]> {
    const functions = await columnsOf(tables, 'etw_frame_function', ['frame', 'function']);
    const ofFrames = functions.get('frame') ?? [];
    const names = new Map(functions.get('function')?.map((name, row) => [ofFrames[row], name]));
    const mappings = await columnsOf(tables, 'etw_mapping', MAPPING);
    const mapped = new Map(
      mappings.get('mapping')?.map((mapping, row) => {
        const known = MAPPING.slice(1).map((name) => mappings.get(name)?.[row]);
        return [mapping, JSON.stringify(known)];
      }),
    );
    const frames = await columnsOf(tables, 'etw_frame', ['mapping', 'mapping_offset']);
    const offsets = frames.get('mapping_offset') ?? [];
    return (frames.get('mapping') ?? []).map((mapping, frame) =>
      this.#frames.of(JSON.stringify([mapped.get(mapping), offsets[frame], names.get(frame)])),
    );
  }
}
