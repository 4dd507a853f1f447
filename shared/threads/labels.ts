/** What is known of a program: null, or left out, is what is not. */
export interface Program {
  readonly process: string | null;
  readonly service?: string | null | undefined;
}

/** A program in words: `svchost.exe Winmgmt`, with what is known. */
export function programLabel({ process, service }: Program): string {
  const name = process ?? 'unknown process';
  return service ? `${name} ${service}` : name;
}

/** A process in words: `wmi.exe (pid 16)`, with what is known. */
export function processLabel(
  process: { readonly process?: string | null; readonly pid?: number | null } | undefined,
): string {
  const name = programLabel({ process: process?.process ?? null });
  return process?.pid == null ? name : `${name} (pid ${process.pid})`;
}

/** The creator of a process in words, by its name and id; null where it has none. Nameless: it is not in the trace. */
export function parentLabel(parent: string | null, parent_pid: number | null): string | null {
  if (parent_pid === null || parent_pid === 0) return null;
  return parent === null ? `pid ${parent_pid}` : processLabel({ process: parent, pid: parent_pid });
}

/** What is known of a thread. */
export interface NamedThread extends Program {
  readonly tid: number | null;
  readonly thread?: string | null | undefined;
}

/** A thread in words: `svchost.exe Winmgmt (tid 20, pump)`, with what is known. */
export function threadLabel(thread: NamedThread | undefined): string {
  const given = thread?.thread ? `, ${thread.thread}` : '';
  return `${programLabel(thread ?? { process: null })} (tid ${thread?.tid ?? '?'}${given})`;
}

/** A thread in so many characters at most: its name is left out first, then the beginning of its process. */
export function shortThreadLabel(thread: NamedThread, mostCharacters: number): string {
  const whole = threadLabel(thread);
  if (whole.length <= mostCharacters) return whole;
  const nameless = threadLabel({ ...thread, thread: null });
  return nameless.length <= mostCharacters ? nameless : `…${nameless.slice(1 - mostCharacters)}`;
}
