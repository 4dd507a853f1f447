import type { ColumnReader, ColumnTable, ColumnType, ColumnValues, Dictionary } from './column-table.ts';
import { dictionaryOf, readTexts, readWords } from './read-all.ts';
import { Scratch } from './scratch.ts';
import { rowNumbers } from './with-numbers.ts';

/** Stands in a template for a value, and in the values between two. */
const MARK = 1;

const INT = (bytes: 1 | 2 | 4 | 8, signed = false): ColumnType => ({ kind: 'int', bytes, signed });
const TEXT: ColumnType = { kind: 'text' };

/** What events have in common, by the number of their shape. */
interface Shapes {
  readonly kinds: Dictionary;
  readonly providers: Dictionary;
  readonly names: Dictionary;
  readonly numbers: Readonly<Record<string, { readonly type: ColumnType; readonly words: Uint32Array }>>;
  /** Templates; that of a header is empty where events have none. */
  readonly headers: readonly Uint8Array[];
  readonly fields: readonly Uint8Array[];
  /** How many values stand in a header, before those of the fields. */
  readonly headerValues: Uint32Array;
}

/** A stretch of events as the file has it. */
interface Stretch {
  readonly shapes: Uint32Array;
  readonly values: ColumnValues & { kind: 'text' };
}

/**
 * The table of events as SQL knows it, made of a file that has for each event the number of its shape and its values, and one of the
 * shapes. The key of an event is its number, from 0.
 */
export function withShapes(events: ColumnTable, shapesTable: ColumnTable): ColumnTable {
  const shapes = readShapes(shapesTable);
  const place = (wanted: string) => events.columns.findIndex(({ name }) => name === wanted);
  const [shapeColumn, valuesColumn] = [place('shape'), place('values')];
  const read = eventsOf(events, events.openColumn(shapeColumn), events.openColumn(valuesColumn));
  const own = (name: string): Shown => ({
    name,
    type: events.columns[place(name)]?.type ?? INT(8, true),
    dictionary: null,
    open: () => events.openColumn(place(name)),
  });
  const ofShape = (name: string): Shown => {
    const { type, words } = shapes.numbers[name] ?? { type: INT(1), words: new Uint32Array(0) };
    return { name, type, dictionary: null, open: () => shapeNumbers(read, type, words) };
  };
  const named = (name: string, dictionary: Dictionary): Shown => ({
    name,
    type: TEXT,
    dictionary,
    open: () => shapeTexts(read, dictionary),
  });
  const made = (name: string, make: MakeText): Shown => ({
    name,
    type: TEXT,
    dictionary: null,
    open: () => madeTexts(read, make, shapes),
  });
  const columns: readonly Shown[] = [
    ...['ts', 'cpu', 'utid'].map(own),
    named('provider', shapes.providers),
    ...['event_id', 'version', 'opcode', 'task', 'level', 'keywords'].map(ofShape),
    named('name', shapes.names),
    made('fields', putFields),
    made('activity_id', putMember('ActivityId')),
    made('related_activity_id', putMember('RelatedActivityId')),
    made('header', putHeader),
    { name: 'id', type: INT(8, true), dictionary: null, open: () => rowNumbers(events) },
    named('kind', shapes.kinds),
  ];
  return {
    ...events,
    columns: columns.map(({ name, type, dictionary }) => ({ name, type, dictionary })),
    key: 'id',
    openColumn(number) {
      const column = columns[number];
      if (column === undefined) throw new RangeError(`no column ${number} in ${events.file}`);
      return column.open();
    },
  };
}

interface Shown {
  readonly name: string;
  readonly type: ColumnType;
  readonly dictionary: Dictionary | null;
  open(): ColumnReader;
}

function readShapes(table: ColumnTable): Shapes {
  const kinds = readTexts(table, 'kind');
  const [providers, names] = [new Array<Uint8Array>(), new Array<Uint8Array>()];
  for (const kind of kinds) {
    const slash = kind.indexOf(0x2f);
    providers.push(kind.subarray(0, Math.max(slash, 0)));
    names.push(kind.subarray(slash + 1));
  }
  const numbers = ['event_id', 'version', 'opcode', 'task', 'level', 'keywords'].map((name) => {
    const type = table.columns.find((column) => column.name === name)?.type ?? INT(1);
    return [name, { type, words: readWords(table, name) }] as const;
  });
  const headers = readTexts(table, 'header');
  return {
    kinds: dictionaryOf(kinds),
    providers: dictionaryOf(providers),
    names: dictionaryOf(names),
    numbers: Object.fromEntries(numbers),
    headers,
    fields: readTexts(table, 'fields'),
    headerValues: Uint32Array.from(headers, (header) =>
      header.reduce((n, byte) => n + Number(byte === MARK), 0),
    ),
  };
}

/** Reads events, once whatever number of columns ask for the same ones after one another. */
interface ReadEvents {
  stretch(batch: number, from: number, to: number): Stretch;
  /** The shapes of all events of a batch, and how long their values are. */
  lengths(batch: number): { readonly shapes: Uint32Array; readonly lengths: Float64Array };
}

function eventsOf({ batches }: ColumnTable, shapes: ColumnReader, values: ColumnReader): ReadEvents {
  const shapesOf = (batch: number, from: number, to: number): Uint32Array => {
    const loaded = shapes.load(batch, from, to);
    if (loaded.kind === 'text' || !(loaded.values instanceof Uint32Array))
      throw new RangeError('the shape of an event is a number');
    return loaded.values;
  };
  let last: (Stretch & { readonly batch: number; readonly from: number; readonly to: number }) | null = null;
  let measured: (ReturnType<ReadEvents['lengths']> & { readonly batch: number }) | null = null;
  return {
    stretch(batch, from, to) {
      if (last?.batch === batch && last.from === from && last.to === to) return last;
      measured = null;
      const texts = values.load(batch, from, to);
      if (texts.kind !== 'text') throw new RangeError('the values of an event are a text');
      return (last = { batch, from, to, shapes: shapesOf(batch, from, to), values: texts });
    },
    lengths(batch) {
      if (measured?.batch === batch) return measured;
      last = null;
      const rowCount = batches[batch]?.rowCount ?? 0;
      const lengths = new Float64Array(rowCount);
      values.addLengths(batch, lengths);
      return (measured = { batch, shapes: shapesOf(batch, 0, rowCount), lengths });
    },
  };
}

function shapeNumbers(read: ReadEvents, type: ColumnType, words: Uint32Array): ColumnReader {
  const scratch = new Scratch();
  const bytes = type.kind === 'int' ? type.bytes : 1;
  return {
    load(batch, from, to) {
      const { shapes } = read.stretch(batch, from, to);
      if (bytes === 8) {
        const values = scratch.words(2 * shapes.length);
        for (let row = 0; row < shapes.length; row++) {
          const shape = shapes[row] ?? 0;
          values[2 * row] = words[2 * shape] ?? 0;
          values[2 * row + 1] = words[2 * shape + 1] ?? 0;
        }
        return { kind: 'number', present: null, values };
      }
      const memory = scratch.bytes(bytes * shapes.length);
      const values = bytes === 1 ? memory : new Uint16Array(memory.buffer, 0, shapes.length);
      for (let row = 0; row < shapes.length; row++) values[row] = words[shapes[row] ?? 0] ?? 0;
      return { kind: 'number', present: null, values };
    },
    addLengths: noLengths,
  };
}

function noLengths(): never {
  throw new RangeError('a number is no text');
}

function shapeTexts(read: ReadEvents, dictionary: Dictionary): ColumnReader {
  const [starts, lengths, entries] = [new Scratch(), new Scratch(), new Scratch()];
  return {
    load(batch, from, to) {
      const { shapes } = read.stretch(batch, from, to);
      const count = shapes.length;
      const [start, length, codes] = [starts.words(count), lengths.words(count), entries.words(count)];
      codes.set(shapes);
      for (let row = 0; row < count; row++) {
        const shape = shapes[row] ?? 0;
        start[row] = dictionary.start[shape] ?? 0;
        length[row] = dictionary.length[shape] ?? 0;
      }
      return { kind: 'text', present: null, bytes: dictionary.bytes, start, length, codes };
    },
    addLengths(batch, sums) {
      const { shapes } = read.lengths(batch);
      for (let row = 0; row < shapes.length; row++)
        sums[row] = (sums[row] ?? 0) + (dictionary.length[shapes[row] ?? 0] ?? 0);
    },
  };
}

/** Texts under way: bytes that grow. */
class Texts {
  bytes = new Uint8Array(1 << 16);
  end = 0;

  /** Makes room for so many more bytes. */
  reserve(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.end + more));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
  }

  /** Appends a template with values in the places of its marks; answers where the next value begins. */
  fill(template: Uint8Array, values: Uint8Array, at: number, endOfValues: number): number {
    this.reserve(template.length + endOfValues - at);
    const { bytes } = this;
    let [to, next] = [this.end, at];
    for (let i = 0; i < template.length; i++) {
      const byte = template[i] ?? 0;
      if (byte !== MARK) {
        bytes[to++] = byte;
        continue;
      }
      for (; next < endOfValues; next++) {
        const value = values[next] ?? 0;
        if (value === MARK) break;
        bytes[to++] = value;
      }
      next++;
    }
    this.end = to;
    return next;
  }
}

/** Appends a text of an event of a shape, whose values are bytes from `at` to `end`; answers whether there is one. */
type MakeText = (
  shapes: Shapes,
  shape: number,
  values: Uint8Array,
  at: number,
  end: number,
  texts: Texts,
) => boolean;

const putFields: MakeText = (shapes, shape, values, at, end, texts) => {
  let first = at;
  for (let skipped = shapes.headerValues[shape] ?? 0; skipped > 0 && first < end; first++)
    if (values[first] === MARK) skipped--;
  texts.fill(shapes.fields[shape] ?? NONE, values, first, end);
  return true;
};

const putHeader: MakeText = (shapes, shape, values, at, end, texts) => {
  const template = shapes.headers[shape] ?? NONE;
  texts.fill(template, values, at, end);
  return template.length > 0;
};

/** A text that is a member of the header. */
function putMember(name: string): MakeText {
  const header = new Texts();
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  return (shapes, shape, values, at, end, texts) => {
    header.end = 0;
    if (!putHeader(shapes, shape, values, at, end, header)) return false;
    const json: unknown = JSON.parse(decoder.decode(header.bytes.subarray(0, header.end)));
    const member: unknown = (json as Readonly<Record<string, unknown>>)[name];
    if (typeof member !== 'string') return false;
    const bytes = encoder.encode(member);
    texts.reserve(bytes.length);
    texts.bytes.set(bytes, texts.end);
    texts.end += bytes.length;
    return true;
  };
}

const NONE = new Uint8Array(0);

function madeTexts(read: ReadEvents, make: MakeText, shapes: Shapes): ColumnReader {
  const [presents, starts, lengths] = [new Scratch(), new Scratch(), new Scratch()];
  const texts = new Texts();
  return {
    load(batch, from, to) {
      const { shapes: numbers, values } = read.stretch(batch, from, to);
      const count = numbers.length;
      const present = presents.bytes(count);
      const [start, length] = [starts.words(count), lengths.words(count)];
      texts.end = 0;
      for (let row = 0; row < count; row++) {
        const at = values.start[row] ?? 0;
        const before = texts.end;
        const end = at + (values.length[row] ?? 0);
        present[row] = make(shapes, numbers[row] ?? 0, values.bytes, at, end, texts) ? 1 : 0;
        start[row] = before;
        length[row] = texts.end - before;
      }
      return { kind: 'text', present, bytes: texts.bytes, start, length, codes: null };
    },
    /** At least as much as the texts are long, without making them. */
    addLengths(batch, sums) {
      const { shapes: numbers, lengths: valueBytes } = read.lengths(batch);
      for (let row = 0; row < numbers.length; row++) {
        const shape = numbers[row] ?? 0;
        const header = shapes.headers[shape]?.length ?? 0;
        if (make !== putFields && header === 0) continue;
        const template = make === putFields ? (shapes.fields[shape]?.length ?? 0) : header;
        sums[row] = (sums[row] ?? 0) + template + (valueBytes[row] ?? 0);
      }
    },
  };
}
