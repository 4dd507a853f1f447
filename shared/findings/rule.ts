import { findSignal } from '../recording/index.ts';
import {
  parseSqlFile,
  readNeed,
  soleSelect,
  SqlFileError,
  templateFault,
  type Header,
  type HeaderEntry,
  type Need,
} from '../sql-file/index.ts';
import type { FailedRule } from './finding.ts';
import { MEASURE_NAMES, type MeasureName } from './measures/index.ts';

/** A rule as it was written: the name of its file, and the text. */
export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

/** A rule: what it looks for, and the SELECT that finds it. */
export interface Rule {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly means: string;
  readonly matters: string;
  readonly lost: string;
  readonly threshold: { readonly text: string; readonly value: number; readonly source: string };
  readonly needs: readonly Need[];
  /** The tables of `measures` that the SELECT takes. */
  readonly measures: readonly MeasureName[];
  /** What of the trace a finding rests on, as nouns. */
  readonly rests_on: readonly string[];
  /** What a finding does not say; null where the rule does not tell. */
  readonly not_said: string | null;
  /** Recordings that would tell more, and what they would decide. */
  readonly decide: readonly { readonly need: Need; readonly what: string }[];
  readonly sentence: string;
  readonly proof: { readonly view: string; readonly params: readonly (readonly [string, string])[] };
  readonly select: string;
  /** The whole file. */
  readonly text: string;
}

const KEYS = [
  ...['title', 'means', 'matters', 'lost', 'threshold', 'needs', 'sentence', 'proof'],
  ...['measure', 'not_said', 'decide'],
];
const DECIDE = /^([a-z_]+): (.+)$/;
const FILE = /^([\w-]+)\.sql$/;
const THRESHOLD = /^((\d+(?:\.\d+)?)\s*([^\s:]+(?: [^\s:]+)*)?): (.+)$/;
const PROOF = /^([a-z-]+)((?: [a-z_]+=\S+)*)$/;

/** Units of a threshold that change its number; any other unit only says what is counted. */
const SCALES: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, '%': 0.01 };

/** Reads a rule; throws a `SqlFileError` for a file that is none. */
export function readRule({ name, text }: RuleFile): Rule {
  const [, id] = FILE.exec(name) ?? [];
  if (id === undefined)
    throw new SqlFileError(name, null, 'the name of a rule is letters, digits and - before .sql');
  const file = parseSqlFile(name, text);
  const { header } = file;
  header.only(KEYS);
  return {
    id,
    file: name,
    title: header.one('title').value,
    means: header.one('means').value,
    matters: header.one('matters').value,
    lost: header.one('lost').value,
    threshold: readThreshold(header, header.one('threshold')),
    needs: header.all('needs').map((entry) => readNeed(header, entry)),
    measures: header.all('measure').map((entry) => readMeasure(header, entry)),
    rests_on: header.all('needs').map(({ value }) => findSignal(value)?.name ?? value.replace(/[.:].*/, '')),
    not_said: header.optional('not_said')?.value ?? null,
    decide: header.all('decide').map((entry) => readDecide(header, entry)),
    sentence: readSentence(header, header.one('sentence')),
    proof: readProof(header, header.one('proof')),
    select: soleSelect(file),
    text,
  };
}

/** Reads many rules; a bad one does not keep the others from being read. */
export function readRules(files: readonly RuleFile[]): {
  readonly rules: readonly Rule[];
  readonly failed: readonly FailedRule[];
} {
  const rules: Rule[] = [];
  const failed: FailedRule[] = [];
  for (const file of files) {
    try {
      rules.push(readRule(file));
    } catch (error) {
      if (!(error instanceof SqlFileError)) throw error;
      failed.push({ id: file.name, message: error.message });
    }
  }
  return { rules, failed };
}

function readThreshold(header: Header, entry: HeaderEntry): Rule['threshold'] {
  const [, text, number, unit = '', source] = THRESHOLD.exec(entry.value) ?? [];
  if (text === undefined || number === undefined || source === undefined) {
    throw header.refusal(entry, 'takes a number with its unit and its source: "100 ms: where that is from"');
  }
  return { text, value: Number(number) * (SCALES[unit] ?? 1), source };
}

function readMeasure(header: Header, entry: HeaderEntry): MeasureName {
  const name = MEASURE_NAMES.find((each) => each === entry.value);
  if (name === undefined)
    throw header.refusal(entry, `names no measure: there are ${MEASURE_NAMES.join(', ')}`);
  return name;
}

function readDecide(header: Header, entry: HeaderEntry): Rule['decide'][number] {
  const [, name, what] = DECIDE.exec(entry.value) ?? [];
  if (name === undefined || what === undefined)
    throw header.refusal(
      entry,
      'takes a name of docs/recording.md and what it would tell: "stacks: which code"',
    );
  return { need: readNeed(header, { ...entry, value: name }), what };
}

function readSentence(header: Header, entry: HeaderEntry): string {
  const fault = templateFault(entry.value);
  if (fault !== null) throw header.refusal(entry, fault);
  return entry.value;
}

function readProof(header: Header, entry: HeaderEntry): Rule['proof'] {
  const [, view, rest] = PROOF.exec(entry.value) ?? [];
  if (view === undefined || rest === undefined) {
    throw header.refusal(entry, 'takes a view and its params: "ready-latency wait_ts={ts} wait_tid={tid}"');
  }
  const params = rest
    .split(' ')
    .filter((param) => param !== '')
    .map((param): readonly [string, string] => {
      const at = param.indexOf('=');
      return [param.slice(0, at), param.slice(at + 1)];
    });
  return { view, params };
}
