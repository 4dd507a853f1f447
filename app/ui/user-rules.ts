import { signal } from '@preact/signals';
import type { UserRules } from '../../shared/view/index.ts';
import type { RuleFolder } from '../host/api.ts';
import { withinTime } from './query/within-time.ts';
import type { Session } from './session.ts';

/** A rule that takes longer is ended, and not run again until it is changed. */
const LIMIT_S = 30;

/** The rules in the user's folder: another object once they have changed. */
export const userRules = signal<UserRules>({ files: [], refused: [] });

/** Texts of rules that took too long. */
const slow = new Set<string>();
let folder: RuleFolder = { files: [], refused: [] };

/** Takes the rules as they lie on disk now. */
export function takeRules(session: Session, now: RuleFolder): void {
  if (JSON.stringify(now) === JSON.stringify(folder)) return;
  folder = now;
  offer(session);
}

function offer(session: Session): void {
  const { files, refused } = folder;
  userRules.value = {
    files: files.filter(({ text }) => !slow.has(text)),
    refused: [
      ...refused,
      ...files
        .filter(({ text }) => slow.has(text))
        .map(({ name }) => ({
          id: name,
          message: `${name}: it ran for more than ${LIMIT_S} s and was ended: it runs again once it is changed`,
        })),
    ],
    limit: (text, ask) =>
      withinTime(session, LIMIT_S, ask, () => {
        slow.add(text);
        offer(session);
      }),
  };
}
