import { toNumber, toText, type Query } from '../engine/index.ts';
import { foldCommandLine } from './fold.ts';
import processesSql from './processes.sql';
import threadsSql from './threads.sql';

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
  /** The class of a thread, by its key. */
  threadOf(utid: number): number;
  /** The id of a thread, by its key; 0 where it is not known. */
  tidOf(utid: number): number;
}

/** Asks for the processes and threads of a trace. */
export async function loadThings(outline: Query): Promise<Things> {
  const processes: ProcessClass[] = [];
  const numbers = new Map<string, number>();
  const classOf = (image: string, command: string | null, parent: string | null) => {
    const key = JSON.stringify([image.toLowerCase(), command, parent?.toLowerCase()]);
    const number = numbers.get(key) ?? processes.length;
    if (number === processes.length) processes.push({ image, command, parent, count: 0 });
    numbers.set(key, number);
    return number;
  };
  const ofProcess = new Map<number, number>();
  for (const row of (await outline(processesSql)).rows()) {
    const command = toText(row.command_line);
    const pid = toNumber(row.pid);
    // Only its id is known of it, which tells nothing in another recording.
    const image = String(row.image) === `pid ${pid ?? ''}` ? 'unknown process' : String(row.image);
    const folded = command === null || command === '' ? null : foldCommandLine(command);
    const number = classOf(image, folded, toText(row.parent));
    ofProcess.set(Number(row.upid), number);
    const before = processes[number];
    if (before !== undefined) processes[number] = { ...before, count: before.count + 1 };
  }
  const threads: (ThreadClass & { readonly tids: number[] })[] = [];
  const threadNumbers = new Map<string, number>();
  /** By key: it is asked for millions of times. */
  const ofThread: number[] = [];
  const tids = new Map<number, number>();
  const classOfThread = (process: number, name: string | null) => {
    const key = JSON.stringify([process, name]);
    const number = threadNumbers.get(key) ?? threads.length;
    if (number === threads.length) threads.push({ process, name, tids: [] });
    threadNumbers.set(key, number);
    return number;
  };
  for (const { utid, tid, upid, name, service, start_address } of (await outline(threadsSql)).rows()) {
    const process =
      (upid === null ? undefined : ofProcess.get(Number(upid))) ?? classOf('unknown process', null, null);
    const start = toNumber(start_address);
    const known = toNumber(tid) ?? 0;
    tids.set(Number(utid), known);
    const of = classOfThread(process, toText(name) ?? toText(service) ?? startName(start));
    ofThread[Number(utid)] = of;
    const alike = threads[of]?.tids ?? [];
    if (known !== 0 && alike.length < MOST_TIDS) alike.push(known);
  }
  return {
    processes,
    threads,
    threadOf(utid) {
      const known = ofThread[utid];
      if (known !== undefined) return known;
      const number = classOfThread(classOf('unknown process', null, null), null);
      ofThread[utid] = number;
      return number;
    },
    tidOf: (utid) => tids.get(utid) ?? 0,
  };
}

/** Where a thread starts, by what stays the same wherever Windows puts the image: images begin at multiples of 64 KiB. */
function startName(address: number | null): string | null {
  if (address === null || address === 0) return null;
  return `start …${(address % 0x10000).toString(16).padStart(4, '0')}`;
}
