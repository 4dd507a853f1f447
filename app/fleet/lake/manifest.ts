import * as v from 'valibot';
import { FULL_TABLES, LAKE_TABLES, LAKE_VERSION } from '../tables.ts';

const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A table of this version, or one that a newer version added. */
const table = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,60}$/));

const file = v.object({
  table,
  /** Where it lies in the lake: `TABLE/date=…/trace=…/part-….parquet`. */
  path: v.pipe(v.string(), v.regex(/^[a-z0-9_]+\/date=[\w-]+\/trace=[\w-]+\/part-[0-9a-f]{16}\.parquet$/)),
  bytes: count,
  sha256,
  rows: count,
});

const member = v.object({
  /** SHA-256 of its content, in hex. */
  id: sha256,
  name: v.string(),
  tags: v.record(v.string(), v.string()),
  /** Whether its full tables are there too. */
  full: v.boolean(),
});

const manifest = v.object({
  format: v.literal('outrank-lake-manifest'),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  outrank: v.string(),
  /** A trace's id, or `pack-…` of one that holds several. */
  unit: v.pipe(v.string(), v.regex(/^([0-9a-f]{64}|pack-\d{8}-[0-9a-f]{16})$/)),
  /** The day on which the recordings began, in UTC; null where they do not tell. */
  date: v.nullable(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/))),
  traces: v.array(member),
  files: v.array(file),
});

/** A file of a lake. */
export type LakeFile = v.InferOutput<typeof file>;
/** A trace of a lake, as its manifest tells. */
export type LakeMember = v.InferOutput<typeof member>;
/** What is listed of a trace, or of several that were packed together: it is written last, so that all that it names is there. */
export type Manifest = v.InferOutput<typeof manifest>;

/** A manifest that cannot be taken, with why. */
export interface ManifestFault {
  readonly why: string;
  /** Whether a newer Outrank wrote it. */
  readonly isNewer: boolean;
}

/** Reads a manifest; one that is none is told in words. */
export function readManifest(text: string): Manifest | ManifestFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: 'is no JSON: it is damaged', isNewer: false };
  }
  const result = v.safeParse(manifest, value);
  if (!result.success) {
    const [issue] = result.issues;
    return { why: `${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`, isNewer: false };
  }
  const { version } = result.output;
  if (version <= LAKE_VERSION) return result.output;
  return { why: `is of version ${version}, and this Outrank reads up to ${LAKE_VERSION}`, isNewer: true };
}

/** Files in the order in which they are removed: without its row in `trace` a trace does not count. */
export function tracesFirst(files: readonly LakeFile[]): readonly LakeFile[] {
  return [...files].sort((a, b) => Number(b.table === 'trace') - Number(a.table === 'trace'));
}

/** Whether a table holds the rows of one trace in full, rather than summaries. */
export function isFullTable(name: string): boolean {
  return FULL_TABLES.some((each) => each === name);
}

/** Whether this version knows a table. */
export function isKnownTable(name: string): boolean {
  return isFullTable(name) || Object.hasOwn(LAKE_TABLES, name);
}

/** How a date stands in a path: engines read the name of Hive's default partition as null. */
export function datePartition(date: string | null): string {
  return `date=${date ?? '__HIVE_DEFAULT_PARTITION__'}`;
}
