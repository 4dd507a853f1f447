import { withoutDirection } from '../../shared/model/index.ts';
import { fitted, widthOf } from './fitted.ts';

/** How the label of a thread or a process ends: with its id, and perhaps the name of the thread. */
const END = / \(([pt]id (?:\d+|\?))(?:, .*)?\)$/;

/** Less of the name of a process says nothing. */
const LEAST_NAME = 7;

/**
 * The label of a thread or a process in the room of so many characters, with what tells it from alike ones. The name of the thread is left
 * out first, then the beginning of the program. A thread with less room has its id, a process its service or name. Another text is cut
 * at its end.
 */
export function fittedLabel(label: string, room: number): string {
  const [end, id] = END.exec(label) ?? [];
  if (end === undefined || id === undefined || widthOf(label) <= room) return fitted(label, room);
  const program = label.slice(0, -end.length);
  const last = ` (${id})`;
  const isProcess = id.startsWith('pid');
  const least = widthOf(last) + 1 + (isProcess ? LEAST_NAME : 0);
  if (room >= least) return withoutBeginning(program + last, room);
  if (isProcess) return fitted(program.replace(/^.*\.exe (?=.)/i, ''), room);
  return fitted(room < widthOf(id) ? label : id, room);
}

function withoutBeginning(text: string, room: number): string {
  const reversed = (of: string) => Array.from(of).reverse().join('');
  return reversed(fitted(reversed(withoutDirection(text)), room));
}
