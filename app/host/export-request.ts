import * as v from 'valibot';
import { tracePart } from './part.ts';

/** The kinds of texts that tell about who recorded a trace, as `outrank-convert redact` knows them. */
export const TEXT_KINDS = [
  'names',
  'command-lines',
  'users',
  'paths',
  'titles',
  'keys',
  'hosts',
  'providers',
  'fields',
] as const;
/** One of {@link TEXT_KINDS}. */
export type TextKind = (typeof TEXT_KINDS)[number];

const action = v.picklist(['keep', 'pseudonym', 'remove']);
/** What is done with texts of a kind that are not known to be harmless. */
export type TextAction = v.InferOutput<typeof action>;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** The report on an export, by the converter or in a message. */
export const exportReport = v.object({
  output_bytes: count,
  kinds: v.array(
    v.object({
      kind: v.picklist(TEXT_KINDS),
      action,
      /** Texts and numbers that were met, each as often as it was, and how many different ones. */
      found: count,
      distinct: count,
      /** Of those found: known to be harmless, under a pseudonym, left out, and written as the user wants it. */
      harmless: count,
      pseudonymised: count,
      removed: count,
      kept: count,
      /** Some that are not known to be harmless, as they are in the recording. */
      examples: v.array(v.string()),
    }),
  ),
  losses: v.array(v.string()),
});

/** What is in an export, how large it is, and what was taken out. */
export type ExportReport = v.InferOutput<typeof exportReport>;

const text = v.pipe(v.string(), v.maxLength(1024), v.regex(/^[^\0]*$/));

/** What an export is to hold, in a message from outside. */
export const exportRequest = v.object({
  part: tracePart,
  /** Names or ids of the processes for which more than scheduling is kept; none: all. */
  processes: v.pipe(v.array(text), v.maxLength(256), v.readonly()),
  /** What is taken out, as the option `--redact` takes it. */
  redact: text,
});

/** What an export is to hold. */
export type ExportRequest = v.InferOutput<typeof exportRequest>;

/** Reads what the converter prints; null if it is no report. */
export function readReport(value: unknown): ExportReport | null {
  const result = v.safeParse(exportReport, value);
  return result.success ? result.output : null;
}

/** What the file is called unless the user says otherwise. */
export function exportName(name: string): string {
  const [first = name] = name.split(' + ');
  const stem = first.replace(/(\.(etl|gz|zip|cab|diagsession|outrank))+$/i, '');
  return `${stem}.redacted.pftrace`;
}
