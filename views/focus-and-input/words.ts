import { formatCount } from '../../shared/model/index.ts';
import type { FocusAndInputModel, InputEvent } from './model.ts';

const BUTTONS = ['left', 'middle', 'right'];

/** What the user did: `key A down`, `right button up`, `wheel −120`, `mouse moved`. */
export function inputWords({ kind, code, key_name }: InputEvent): string {
  const button = () => (code === null ? 'a' : (BUTTONS[code] ?? `mouse ${code}`));
  switch (kind) {
    case 'key_down':
      return `key ${key_name ?? String(code)} down`;
    case 'mouse_down':
      return `${button()} button down`;
    case 'mouse_up':
      return `${button()} button up`;
    case 'mouse_wheel':
      return code === null ? 'wheel turned' : `wheel ${code < 0 ? '−' : '+'}${Math.abs(code)}`;
    case 'mouse_move':
      return 'mouse moved';
  }
}

/** What the view found, in a sentence. */
export function summary({ lanes, input_count, inputs }: FocusAndInputModel): string {
  const processes = lanes.length === 1 ? 'One process' : `${formatCount(lanes.length)} processes`;
  const focus =
    lanes.length === 0 ? 'No process is known to have had the focus' : `${processes} had the focus`;
  const events = input_count === 1 ? 'one input event' : `${formatCount(input_count)} input events`;
  const cut = inputs.length < input_count ? `; the first ${formatCount(inputs.length)} are shown` : '';
  return `${focus}; ${events}${cut}.`;
}
