import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { Lake, LakeError } from '../fleet/index.ts';
import { leftOut, type AddWish, type Told } from './lake-add-here.ts';
import { launcher } from './session.ts';
import { say } from './terminal.ts';

/**
 * How V8 runs a process that adds traces. It counts columns as its heap, and looks through the heap whenever that grows: so it begins with
 * room for columns, in MiB. And it compiles only functions that ran for longer than usual: most functions run once for each trace.
 */
const V8 = ['--initial-old-space-size=1024', '--interrupt-budget=400000'];
/** So many characters of what a process said are told. */
const MOST_SAID = 1000;

/**
 * Adds traces in so many processes at a time, and tells what became of each in the order of `paths`. A trace whose process is killed is
 * left out. Each path must be one line that is not empty.
 */
export async function addApart(
  wish: AddWish,
  paths: readonly string[],
  jobs: number,
  signal: AbortSignal,
  onTold: (told: Told) => Promise<void>,
): Promise<void> {
  const lake = await Lake.open(wish.address, { create: true });
  for (const problem of (await lake.list()).problems) say(problem);
  const adders = Array.from({ length: jobs }, () => new Adder(wish));
  const interrupt = (): void => adders.forEach((adder) => adder.interrupt());
  signal.addEventListener('abort', interrupt);
  const told = new Map<number, Told>();
  const queue = paths.entries();
  let [next, telling] = [0, Promise.resolve()];
  const tellInOrder = async (): Promise<void> => {
    for (let now = told.get(next); now !== undefined; now = told.get(++next)) {
      told.delete(next);
      await onTold(now);
    }
  };
  try {
    await Promise.all(
      adders.map(async (adder) => {
        for (const [number, path] of queue) {
          told.set(number, await adder.add(path));
          signal.throwIfAborted();
          await (telling = telling.then(tellInOrder));
        }
        await adder.end();
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    interrupt();
    await Promise.all(adders.map((adder) => adder.end()));
  }
}

/** `outrank lake add` in a process of its own, which takes paths from stdin. It starts with the first of these. */
class Adder {
  readonly #wish: AddWish;
  #started: Started | null = null;
  #isInterrupted = false;

  constructor(wish: AddWish) {
    this.#wish = wish;
  }

  /** Adds a trace. Rejects with a {@link LakeError} where the others would fare no better. */
  async add(path: string): Promise<Told> {
    const started = this.#start(path);
    started.paths.write(`${path}\n`);
    const line = await started.lines.next();
    if (line.done !== true) return JSON.parse(line.value) as Told;
    this.#started = null;
    const [code, killedBy] = await started.ended;
    if (killedBy !== null && !this.#isInterrupted)
      return leftOut(path, `${path}: the process that adds it was ended by ${killedBy}`);
    throw new LakeError(
      started.said().trim() || `outrank lake add ended with ${killedBy ?? code ?? 'no code'}`,
    );
  }

  #start(path: string): Started {
    if (this.#isInterrupted) throw new LakeError(`${path}: adding was interrupted`);
    return (this.#started ??= start(this.#wish));
  }

  /** Lets the trace under way be left, as CTRL+C does. No other one is added after it. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#started?.child.kill('SIGINT');
  }

  /** Lets the process end, which has nothing to do. */
  async end(): Promise<void> {
    this.#started?.paths.end();
    await this.#started?.ended;
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly paths: Writable;
  /** One line for each trace. */
  readonly lines: AsyncIterator<string>;
  /** With the exit code, or the signal that killed it. */
  readonly ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  /** The end of what it said. */
  said(): string;
}

function start({ address, tags, full, engineMemory, converterMemory, maxFile }: AddWish): Started {
  const child = spawn(
    process.execPath,
    [
      ...[...V8, launcher, 'lake', 'add', address, '--from', '-', '--jobs', '1'],
      ...['--format', 'json', '--no-paths', '--engine-memory', engineMemory],
      ...Array.from(tags, ([name, value]) => ['--tag', `${name}=${value}`]).flat(),
      ...(full ? ['--full'] : []),
      ...(converterMemory === undefined ? [] : ['--converter-memory', converterMemory]),
      ...(maxFile === undefined ? [] : ['--max-file', maxFile]),
    ],
    { stdio: 'pipe' },
  );
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-MOST_SAID)));
  // A process that is gone takes no path: that its lines end says so.
  child.stdin.on('error', () => undefined);
  return {
    child,
    paths: child.stdin,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    ended: once(child, 'close') as Started['ended'],
    said: () => said.replaceAll(/^outrank: /gm, ''),
  };
}
