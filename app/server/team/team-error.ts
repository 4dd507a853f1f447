/** A request that is not fulfilled: the status of the answer, and why, in one line for the user. */
export class TeamError extends Error {
  override readonly name = 'TeamError';
  constructor(
    readonly status: number,
    message: string,
    /** More headers of the answer. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** What an error of the file system says that only a full disk or a quota of the system says. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether there is no room for what was to be written. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && FULL.has(error.code);
}
