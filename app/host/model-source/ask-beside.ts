import type { AskBeside } from '../../../shared/tables/index.ts';
import { unpacked } from './pack.ts';
import type { ModelSource } from './source.ts';

/** Asks each question of a source of its own, which ends with the answer. */
export function askingBeside(start: () => ModelSource<Uint8Array>, signal?: AbortSignal): AskBeside {
  return async (name, question) => {
    const source = unpacked(start());
    try {
      return await source.ask(name, question, { signal });
    } finally {
      source.end();
    }
  };
}
