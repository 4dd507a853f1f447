import { addSection, type End } from '../kit/index.ts';
import type { Say } from './choice.ts';
import type { Kept } from './state.ts';

/** What is said of tracks that are drawn anew, is said so long after they are: else it is not read out. */
const SAY_MS = 300;

/** Adds a line that is read out, and shown where nothing else shows what it says. It shows again what it showed before. */
export function addSpeaker(page: HTMLElement, kept: Kept): { readonly say: Say; readonly end: End } {
  const line = addSection(page, 'screen-reader-only');
  line.ariaLive = 'polite';
  const say: Say = (text, isShown = true) => {
    kept.said = isShown ? text : '';
    line.className = isShown ? 'timeline-said' : 'screen-reader-only';
    line.textContent = text;
  };
  if (kept.said !== '') say(kept.said);
  const saying = setTimeout(() => {
    if (kept.unsaid !== '') say(kept.unsaid);
    kept.unsaid = '';
  }, SAY_MS);
  return { say, end: () => clearTimeout(saying) };
}
