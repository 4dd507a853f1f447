import { textAt, type Stretch, type Tables } from '../tables/index.ts';
import { focusAt, loadFocus, loadInputs } from '../threads/index.ts';
import type { Delay } from './delay.ts';
import { firstWhere } from './rows.ts';
import { processesOfThreads } from './thread-processes.ts';

/** A thread that an input concerns is woken so soon, in ns; later wakes are not the input's. */
const SOON_NS = 100_000_000;
/** Keys and buttons, in the words of `etw_input`. */
const PRESSED = new Set(['mouse_down', 'mouse_up', 'key_down']);

interface Input {
  readonly ts: number;
  readonly upid: number;
  /** The thread of the process in focus that was woken first. */
  woken: { readonly utid: number; readonly ts: number } | null;
}

/** From each key and button to the next block of the thread in the process in focus that was woken first. */
export async function inputEpisodes(tables: Tables): Promise<Delay[]> {
  const focus = await loadFocus(tables);
  const pressed = (await loadInputs(tables, { start: 0, end: Infinity }, false)).filter(({ kind }) =>
    PRESSED.has(kind),
  );
  const inputs = pressed.flatMap(({ ts }) =>
    focusAt(focus, ts).flatMap(({ upid }): Input[] => (upid === null ? [] : [{ ts, upid, woken: null }])),
  );
  const [first, last] = [inputs[0], inputs.at(-1)];
  if (first === undefined || last === undefined) return [];
  await findWoken(tables, inputs, { start: first.ts, end: last.ts + SOON_NS });
  return untilBlocked(tables, inputs);
}

async function findWoken(tables: Tables, inputs: readonly Input[], stretch: Stretch): Promise<void> {
  const upids = await processesOfThreads(tables);
  const columns = ['ts', 'utid', 'cause'] as const;
  for await (const { rowCount, columns: of } of tables.batches('etw_ready_wait', columns, stretch)) {
    for (let row = 0; row < rowCount; row++) {
      const ts = of.ts.values[row] ?? 0;
      const utid = of.utid.values[row] ?? 0;
      if (ts < stretch.start || textAt(of.cause, row) !== 'wake') continue;
      const upid = upids.get(utid);
      if (upid === undefined) continue;
      for (let at = countUntil(inputs, ts) - 1; at >= 0; at--) {
        const input = inputs[at];
        if (input === undefined || input.ts < ts - SOON_NS) break;
        if (input.upid === upid && (input.woken === null || ts < input.woken.ts)) input.woken = { utid, ts };
      }
    }
  }
}

/** How many inputs came until a time. */
function countUntil(inputs: readonly Input[], ts: number): number {
  return firstWhere(inputs.length, (at) => (inputs[at]?.ts ?? 0) > ts);
}

/** Inputs whose thread was seen to block after it was woken. */
async function untilBlocked(tables: Tables, inputs: readonly Input[]): Promise<Delay[]> {
  const waiting = new Map<number, Input[]>();
  for (const input of inputs) {
    if (input.woken === null) continue;
    const of = waiting.get(input.woken.utid) ?? [];
    waiting.set(input.woken.utid, of);
    of.push(input);
  }
  const found: Delay[] = [];
  const columns = ['ts', 'te', 'utid', 'switch_out_state'] as const;
  const stretch = { start: inputs[0]?.ts ?? 0, end: Number.MAX_SAFE_INTEGER };
  for await (const { rowCount, columns: of } of tables.batches('etw_run', columns, stretch)) {
    if (waiting.size === 0) break;
    for (let row = 0; row < rowCount; row++) {
      const utid = of.utid.values[row] ?? 0;
      const own = waiting.get(utid);
      if (own === undefined || textAt(of.switch_out_state, row) !== 'Waiting') continue;
      const ts = of.ts.values[row] ?? 0;
      const te = of.te.values[row] ?? 0;
      const left = own.filter((input) => {
        if ((input.woken?.ts ?? Infinity) > ts) return true;
        found.push({ utid, ts: input.ts, te });
        return false;
      });
      if (left.length === 0) waiting.delete(utid);
      else waiting.set(utid, left);
    }
  }
  return found;
}
