import * as v from 'valibot';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const moduleSymbols = v.object({
  /** The image file, as Windows names it. */
  path: v.string(),
  /** Name of its PDB; null where the trace does not tell. */
  pdb: v.nullable(v.string()),
  /** Samples whose innermost frame is in it, in the whole trace, but in no .NET method: those the trace itself names. */
  samples: count,
  /** Different instructions of it in all stacks, without those likewise. */
  addresses: count,
  /** How many of them have a function now. */
  named: count,
  /** The PDB that was read; null where none was found. */
  found: v.nullable(v.string()),
  /** Why none was found: where was looked, and what was there instead. */
  reasons: v.array(v.string()),
});

const symbolReport = v.object({
  /** By samples, the most first. */
  modules: v.array(moduleSymbols),
});

const symbolProgress = v.object({
  /** Images that were looked for so far. */
  done: count,
  /** Images to look for. */
  total: count,
  /** What a server sends just now, in bytes of all if it tells; null if none does. */
  download: v.nullable(v.object({ url: v.string(), bytes: count, totalBytes: v.nullable(count) })),
});

const symbolDefaults = v.object({
  /** The symbol path of the environment (`_NT_SYMBOL_PATH`); null if there is none. It is not used unless the user says so. */
  path: v.nullable(v.string()),
  /** The folder that keeps what servers send, where a path names none. */
  cacheDir: v.string(),
});

/** What is known of the symbols of one image. */
export type ModuleSymbols = v.InferOutput<typeof moduleSymbols>;
/** What came of looking for symbols. */
export type SymbolReport = v.InferOutput<typeof symbolReport>;
/** How far the search for symbols has come. */
export type SymbolProgress = v.InferOutput<typeof symbolProgress>;
/** Where symbols would be looked for and kept. */
export type SymbolDefaults = v.InferOutput<typeof symbolDefaults>;

/** What messages between processes hold of symbols. */
export const symbolSchemas = { symbolReport, symbolProgress, symbolDefaults } as const;

/** What stands in place of a report on no image. */
export const NOTHING_TO_NAME =
  'No stack or sample lies in an image, so there is nothing to name. Record images and stacks: docs/recording.md says how.';

/** Symbols in the words of a table: the images that samples or stacks name, with what was found. */
export function coverage({ modules }: SymbolReport) {
  const all = modules.reduce((sum, { samples }) => sum + samples, 0);
  const named = modules.reduce((sum, { samples, found }) => sum + (found === null ? 0 : samples), 0);
  return { samples: all, covered: all === 0 ? null : named / all };
}
