import * as v from 'valibot';
import { readAddress } from '../../../shared/link/index.ts';

const LONGEST_TOKEN = 4_096;

/** A team server in a message from outside. */
export const teamServer = v.object({
  origin: v.pipe(
    v.string(),
    v.maxLength(300),
    v.check((text) => readAddress(text)?.origin === text),
  ),
  // What a header can hold.
  token: v.nullable(v.pipe(v.string(), v.maxLength(LONGEST_TOKEN), v.regex(/^[\x21-\x7e]+$/))),
  unencrypted: v.optional(v.boolean()),
});

/** A team server, as one of its users. */
export interface TeamServer {
  /** Such as `https://traces.example.com`. */
  readonly origin: string;
  /** Null where none is needed, as behind a proxy that knows who asks. */
  readonly token: string | null;
  /** Whether the user agreed that everybody on the way can read along. For this very machine no user is asked. */
  readonly unencrypted?: boolean | undefined;
}
