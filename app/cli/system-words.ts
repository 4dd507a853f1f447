/** What the system's codes for failures mean. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'the system does not give access to it',
  EPERM: 'the system does not give access to it',
  EISDIR: 'not a file but a folder',
  ENOTDIR: 'a part of this path is a file, not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'it is on a disk that cannot be written',
};

/** What an error says, in plain words where it is the system's about a file; anything else that was thrown, as text. */
export function systemWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error && 'path' in error)) return error.message;
  const words = WORDS[String(error.code)];
  return words === undefined ? error.message : `${String(error.path)}: ${words}`;
}
