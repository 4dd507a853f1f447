import { signal } from '@preact/signals';
import * as v from 'valibot';
import type { Session } from '../session.ts';

/** A panel that stays in sight below whatever view is shown. */
export interface Pin {
  readonly panel: string;
  readonly params: Readonly<Record<string, string | number | boolean | null>>;
}

const schema = v.array(
  v.object({
    panel: v.string(),
    params: v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])),
  }),
);

/** The pinned panels, kept from session to session. */
export const pins = signal<readonly Pin[]>([]);

/** Reads the pins of earlier sessions. */
export async function readPins({ door }: Session): Promise<void> {
  const kept = await door.host.userFiles.kept('pins');
  try {
    const result = v.safeParse(schema, JSON.parse(kept ?? '[]'));
    if (result.success && pins.peek().length === 0) pins.value = result.output;
  } catch {
    // What cannot be read is as good as nothing.
  }
}

/** Changes the pins, and keeps them. */
export function setPins({ door }: Session, next: readonly Pin[]): void {
  pins.value = next;
  door.host.userFiles.keep('pins', JSON.stringify(next)).catch(() => undefined);
}

/** Pins a panel, or unpins it. */
export function togglePin(session: Session, pin: Pin): void {
  const others = pins.peek().filter(({ panel }) => panel !== pin.panel);
  setPins(session, others.length < pins.peek().length ? others : [...others, pin]);
}
