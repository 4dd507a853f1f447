/** A file of columns that is damaged, or of a kind that is not read here. */
export class ColumnsError extends Error {
  override readonly name = 'ColumnsError';
  constructor(
    readonly file: string,
    /** Where in the file, in bytes; null where no one place is wrong. */
    readonly offset: number | null,
    /** What should be there, and what is. */
    readonly expected: string,
  ) {
    super(`${file}: ${offset === null ? '' : `at byte ${offset}: `}expected ${expected}`);
  }
}
