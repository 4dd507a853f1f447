/** Numbers of errors, https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md#errno */
const NUMBERS: Readonly<Record<string, number>> = {
  EACCES: 2,
  EBADF: 8,
  EBUSY: 10,
  EDQUOT: 19,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENOENT: 44,
  ENOSPC: 51,
  ENOSYS: 52,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
  EPERM: 63,
  EROFS: 69,
  ETXTBSY: 74,
  EXDEV: 75,
};

export const OK = 0;
export const BADF = 8;
export const INVAL = 28;
export const NOSYS = 52;
const IO = 29;

/** The number of an error that files threw; one that tells no code is one of input and output. */
export function errorNumber(error: unknown): number {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return NUMBERS[code] ?? IO;
}
