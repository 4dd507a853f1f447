import type { ByteRange } from '../store/trace-store.ts';

/**
 * What a header `range` asks of a file (RFC 9110, 14.1.2): one run of bytes; null for the whole file, which is also the
 * answer to what is no such header or asks for several runs; `beyond` where the file has none of these bytes.
 */
export function readByteRange(header: string | undefined, sizeBytes: number): ByteRange | 'beyond' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const count = Math.min(Number(to), sizeBytes);
    return count === 0 ? 'beyond' : { first: sizeBytes - count, last: sizeBytes - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return null;
  if (first >= sizeBytes) return 'beyond';
  return { first, last: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) };
}
