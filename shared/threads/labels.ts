/** What is known of a program: null, or left out, is what is not. */
export interface Program {
  readonly process: string | null;
  /** The service; several have commas between. */
  readonly service: string | null | undefined;
}

/** A program in words: `svchost.exe Winmgmt`, with what is known. Of several services the first, and how many more. */
export function programLabel({ process, service }: Program): string {
  const name = process ?? 'unknown process';
  if (!service) return name;
  const [first = service, ...more] = service.split(',');
  return more.length === 0 ? `${name} ${service}` : `${name} ${first} +${more.length}`;
}

/** What is known of a process. */
export interface NamedProcess {
  readonly process: string | null;
  readonly pid: number | null;
  /** The services that it hosts, with commas between. */
  readonly services: string | null;
}

/** A process in words: `svchost.exe Winmgmt (pid 16)`, with what is known; `pid 16` where it has no name. */
export function processLabel(process: NamedProcess | undefined): string {
  const { process: name = null, pid = null, services: service = null } = process ?? {};
  if (pid === null) return programLabel({ process: name, service });
  const id = `pid ${pid}`;
  // Where a name is missing, tables have the id in its place.
  return name === null || name === id
    ? programLabel({ process: id, service })
    : `${programLabel({ process: name, service })} (${id})`;
}

/** The creator of a process in words, by its name and id; null where it has none. Nameless: it is not in the trace. */
export function parentLabel(parent: string | null, parent_pid: number | null): string | null {
  if (parent_pid === null || parent_pid === 0) return null;
  return processLabel({ process: parent, pid: parent_pid, services: null });
}

/** What is known of a thread. */
export interface NamedThread extends Program {
  readonly tid: number | null;
  readonly thread?: string | null | undefined;
}

/** A thread with its process; null is what is not known. `Id` is a number where only threads with an id are shown. */
export interface OwnedThread<Id extends number | null = number | null> extends NamedThread {
  readonly tid: Id;
  readonly thread: string | null;
  readonly pid: number | null;
  /** The service that it works for, else those that its process hosts. */
  readonly service: string | null;
}

/** Of all that is known of a thread, what names it and its process. */
export function ownedThread(known: OwnedThread | undefined): OwnedThread {
  const { process = null, service = null, pid = null, thread = null, tid = null } = known ?? {};
  return { process, service, pid, thread, tid };
}

/** The same of its process alone, with the services that this hosts. */
export function ownedProcess(known: (OwnedThread & NamedProcess) | undefined): OwnedThread {
  return { ...ownedThread(known), service: known?.services ?? null, thread: null, tid: null };
}

/** A thread in words: `svchost.exe Winmgmt (tid 20, pump)`, with what is known. */
export function threadLabel(thread: NamedThread | undefined): string {
  const given = thread?.thread ? `, ${thread.thread}` : '';
  return `${programLabel(thread ?? { process: null, service: null })} (tid ${thread?.tid ?? '?'}${given})`;
}
