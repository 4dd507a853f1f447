import { messageOf } from '../../shared/model/index.ts';

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

/** What a failure of the system about a file means; null where an error is another. */
export function systemReason(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? (WORDS[String(error.code)] ?? null) : null;
}

/** What an error says, in plain words where it is the system's about a file; anything else that was thrown, as text. */
export function systemWords(error: unknown): string {
  const reason = systemReason(error);
  const path = error instanceof Error && 'path' in error ? String(error.path) : null;
  return reason === null || path === null ? messageOf(error) : `${path}: ${reason}`;
}
