import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** One thing that somebody did or tried. */
export interface AuditEntry {
  readonly action:
    | 'signed_in'
    | 'refused'
    | 'upload_started'
    | 'upload_finished'
    | 'upload_cancelled'
    | 'upload_abandoned'
    | 'opened'
    | 'downloaded'
    | 'deleted'
    | 'expired';
  /** Who; null for one who is not known, or the server itself. */
  readonly by: string | null;
  /** The address that asked; null for the server itself. */
  readonly from: string | null;
  readonly trace?: string | null;
  readonly name?: string;
  readonly sizeBytes?: number;
  readonly why?: string;
}

/**
 * A log of who did what, a JSON object a line. The file is opened for each entry, so that it may be moved away at any
 * time. An entry that cannot be written is told to `onFailure`: the server goes on.
 */
export class Audit {
  readonly #path: string;
  readonly #onFailure: (message: string) => void;
  #last: Promise<void>;

  constructor(path: string, onFailure: (message: string) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
    this.#last = mkdir(dirname(path), { recursive: true }).then(() => undefined);
  }

  write(entry: AuditEntry): void {
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`;
    this.#last = this.#last
      .then(() => appendFile(this.#path, line, { mode: 0o600 }))
      .catch((error: unknown) =>
        this.#onFailure(`${this.#path}: the audit log cannot be written: ${String(error)}`),
      );
  }

  /** Resolves when all entries are written. */
  flush(): Promise<void> {
    return this.#last;
  }
}
