import type { Door } from '../door.ts';
import { Session } from '../session.ts';

/** A panel of this title. */
export const text = (title: string): string =>
  `-- @title ${title}\n-- @description What.\nSELECT 1 AS one;\n`;

/** A machine whose user has confirmed these texts, and the files that were saved there. */
export function machine(...confirmed: string[]): {
  readonly session: Session;
  readonly saved: Map<string, string>;
} {
  const saved = new Map<string, string>();
  const userFiles = {
    save: (name: string, content: string) => Promise.resolve(void saved.set(name, content)),
    confirm: (content: string) => Promise.resolve(void confirmed.push(content)),
    isConfirmed: (content: string) => Promise.resolve(confirmed.includes(content)),
    keep: () => Promise.resolve(),
  };
  return { session: new Session({ host: { userFiles } } as unknown as Door), saved };
}
