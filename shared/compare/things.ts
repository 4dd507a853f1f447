import { numberAt, textAt, type Tables } from '../tables/index.ts';
import { loadServices } from '../threads/index.ts';
import { foldCommandLine } from './fold.ts';

/** Processes that are alike: of one image, one folded command line and one parent. */
export interface ProcessClass {
  /** Name of the image file. */
  readonly image: string;
  /** The folded command line; null where it was not recorded. */
  readonly command: string | null;
  /** Image of the creator; null where it is not in the trace. */
  readonly parent: string | null;
  /** How many processes are in the class. */
  readonly count: number;
}

/** Threads of a class of processes that are alike. */
export interface ThreadClass {
  /** Its process class, by its number. */
  readonly process: number;
  /** What they are called: the name, the service, or where they start; null where nothing is known. */
  readonly name: string | null;
  /** Ids of these threads in this trace: of very many the first. */
  readonly tids: readonly number[];
}

/** Of so many threads that are alike the ids are told. */
const MOST_TIDS = 16;

/** The processes and threads of a trace, in classes. */
export interface Things {
  readonly processes: readonly ProcessClass[];
  readonly threads: readonly ThreadClass[];
  /** The class of a process, by its key. */
  processOf(upid: number): number;
  /** The class of a thread, by its key. */
  threadOf(utid: number): number;
  /** The id of a thread, by its key; 0 where it is not known. */
  tidOf(utid: number): number;
}

/** Asks for the processes and threads of a trace. */
export async function loadThings(tables: Tables): Promise<Things> {
  const things = new ThingsInClasses();
  for (const process of await readProcesses(tables)) things.addProcess(process);
  const services = await loadServices(tables);
  const names = ['utid', 'tid', 'upid', 'name', 'start_address'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_thread', names)) {
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      const start = startName(numberAt(columns.start_address, row));
      const name = textAt(columns.name, row) ?? services.get(utid) ?? start;
      things.addThread(utid, columns.tid.values[row] ?? 0, numberAt(columns.upid, row) ?? -1, name);
    }
  }
  return things;
}

type Process = Awaited<ReturnType<typeof readProcesses>>[number];

/** A class, so that code which asks it millions of times was compiled once for the things of all traces. */
class ThingsInClasses implements Things {
  readonly processes: ProcessClass[] = [];
  readonly threads: (ThreadClass & { readonly tids: number[] })[] = [];
  readonly #processNumbers = new Map<string, number>();
  readonly #threadNumbers = new Map<string, number>();
  readonly #ofProcess = new Map<number, number>();
  /** By key: it is asked for millions of times. */
  readonly #ofThread: number[] = [];
  readonly #tids = new Map<number, number>();

  addProcess({ upid, pid, name, command_line, parent }: Process): void {
    // Only its id is known of it, which tells nothing in another recording.
    const image = name === null || name === `pid ${pid ?? ''}` ? 'unknown process' : name;
    const folded = command_line === null || command_line === '' ? null : foldCommandLine(command_line);
    const number = this.#processNumber(image, folded, parent);
    this.#ofProcess.set(upid, number);
    const before = this.processes[number];
    if (before !== undefined) this.processes[number] = { ...before, count: before.count + 1 };
  }

  addThread(utid: number, tid: number, upid: number, name: string | null): void {
    const process = this.processOf(upid);
    this.#tids.set(utid, tid);
    const of = this.#threadNumber(process, name);
    this.#ofThread[utid] = of;
    const alike = this.threads[of]?.tids ?? [];
    if (tid !== 0 && alike.length < MOST_TIDS) alike.push(tid);
  }

  processOf(upid: number): number {
    return this.#ofProcess.get(upid) ?? this.#processNumber('unknown process', null, null);
  }

  threadOf(utid: number): number {
    return (this.#ofThread[utid] ??= this.#threadNumber(
      this.#processNumber('unknown process', null, null),
      null,
    ));
  }

  tidOf(utid: number): number {
    return this.#tids.get(utid) ?? 0;
  }

  #processNumber(image: string, command: string | null, parent: string | null): number {
    const key = JSON.stringify([image.toLowerCase(), command, parent?.toLowerCase()]);
    const number = this.#processNumbers.get(key) ?? this.processes.length;
    if (number === this.processes.length) this.processes.push({ image, command, parent, count: 0 });
    this.#processNumbers.set(key, number);
    return number;
  }

  #threadNumber(process: number, name: string | null): number {
    const key = JSON.stringify([process, name]);
    const number = this.#threadNumbers.get(key) ?? this.threads.length;
    if (number === this.threads.length) this.threads.push({ process, name, tids: [] });
    this.#threadNumbers.set(key, number);
    return number;
  }
}

/** All processes, with the names of their creators. */
async function readProcesses(tables: Tables) {
  const found = [];
  const names = ['upid', 'pid', 'name', 'command_line', 'parent_upid'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_process', names))
    for (let row = 0; row < rowCount; row++)
      found.push({
        upid: columns.upid.values[row] ?? 0,
        pid: numberAt(columns.pid, row),
        name: textAt(columns.name, row),
        command_line: textAt(columns.command_line, row),
        parent_upid: numberAt(columns.parent_upid, row),
      });
  const nameOf = new Map(found.map(({ upid, name }) => [upid, name]));
  return found.map(({ parent_upid, ...process }) => ({
    ...process,
    parent: parent_upid === null ? null : (nameOf.get(parent_upid) ?? null),
  }));
}

/** Where a thread starts, by what stays the same wherever Windows puts the image: images begin at multiples of 64 KiB. */
function startName(address: number | null): string | null {
  if (address === null || address === 0) return null;
  return `start …${(address % 0x10000).toString(16).padStart(4, '0')}`;
}
