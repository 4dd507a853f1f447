import type { Cell } from '../engine/index.ts';
import type { ViewColumn } from '../view/index.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  formatShare,
  formatTime,
  withoutDirection,
} from './format.ts';

/**
 * A cell of a view's table as text, by the kind of its column. Null is an en dash: not known, or not so. Marks that turn the direction
 * of text are left out: a name could pass for another with them.
 * `origin_ns` is the trace's start, from which times count.
 */
export function formatCell(cell: Cell, kind: ViewColumn['kind'], origin_ns: number): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return withoutDirection(cell);
  if (cell instanceof Uint8Array) return `${formatCount(cell.length)} bytes`;
  switch (kind) {
    case 'duration_ns':
      return formatDuration(Number(cell));
    case 'time_ns':
      return formatTime(Number(cell), origin_ns);
    case 'share':
      return formatShare(Number(cell));
    case 'count':
      return formatCount(cell);
    case 'number':
      return formatNumber(Number(cell));
    case 'bytes':
      return formatBytes(Number(cell));
    case 'text':
      return String(cell);
  }
}
