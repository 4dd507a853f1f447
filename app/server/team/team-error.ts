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
