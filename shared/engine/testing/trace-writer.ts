/** Writes small Perfetto traces by hand, as `docs/encoding.md` says of schema 1. Field numbers: `protos/perfetto/trace` of Perfetto. */
import { concat, WireWriter } from '../wire.ts';

/** A debug annotation's value. */
export type Annotation = number | string;

/** The fields of a run sample; what is left out takes the value that stands for "nothing". */
export interface RunSample {
  rank?: number;
  outPriority?: number;
  waitReason?: number;
  waitMode?: number;
  state?: number;
  qos?: number;
  readyFlags?: number;
  readyIncrement?: number;
  readyAdjustReason?: number;
  priorityDecrement?: number;
  cState?: number;
}

/** Packs a run sample into the 53 bits that its counter holds. */
export function packRunSample(sample: RunSample): number {
  const fields: readonly (readonly [number, number])[] = [
    [8, sample.rank ?? NOT_RECORDED],
    [5, sample.outPriority ?? 0],
    [6, sample.waitReason ?? 63],
    [1, sample.waitMode ?? 0],
    [4, sample.state ?? 15],
    [3, sample.qos ?? 0],
    [5, sample.readyFlags ?? 0],
    [6, (sample.readyIncrement ?? 0) + 32],
    [2, sample.readyAdjustReason ?? 0],
    [5, sample.priorityDecrement ?? 0],
    [8, sample.cState ?? 255],
  ];
  let value = 0;
  let scale = 1;
  for (const [bits, field] of fields) {
    value += field * scale;
    scale *= 2 ** bits;
  }
  return value;
}

/** In place of a rank. */
const NOT_RECORDED = 255;

/** UUID of the track `etw.run` of a CPU. */
const runTrack = (cpu: number) => 2 ** 32 + cpu;
/** UUID of the track of a CPU's interrupts. */
const interruptTrack = (cpu: number) => 2 ** 32 + 2 ** 16 + cpu;
/** UUID of the track of ideal processors. */
const IDEAL_CPU_TRACK = 2 ** 32 + 2 ** 17;
/** UUID of the track of ranks before runs. */
const RANK_BEFORE_TRACK = IDEAL_CPU_TRACK + 1;
const TRACE_TRACK = 2 ** 33;
const ETW_TRACK = 2 ** 33 + 1;

const SEQUENCE = { descriptors: 1, events: 2, samples: 3 };
const EVENT_TYPE = { instant: 3, counter: 4 };
const CREATED = 1;
/** Flags of a packet on a sequence with interned data: the first one's, and the others'. */
const STATE_CLEARED = 1;
const NEEDS_STATE = 2;

/** Collects packets. Call its methods in the order of time. */
export class TraceWriter {
  readonly #packets: Uint8Array[] = [];
  #nextUuid = 1000;
  readonly #counters = new Set<number>();
  /** The tracks of processes, by their ids. */
  readonly #processes = new Map<number, number>();
  /** By thread: its rank at the end of its last run. */
  readonly #ranks = new Map<number, number>();
  #utcAhead_ns = 0;

  /** The clock snapshot and the tracks that every converted trace has. */
  start(ts: number, utc_ns: number): this {
    this.#utcAhead_ns = utc_ns - ts;
    this.#packet(ts, null, (packet) =>
      packet.message(6, (snapshot) =>
        snapshot
          .message(1, (clock) => clock.varint(1, 6).varint(2, ts))
          .message(1, (clock) => clock.varint(1, 1).varint(2, utc_ns))
          .varint(2, 6),
      ),
    );
    this.#track(ts, TRACE_TRACK, (track) => track.text(2, 'etw.trace'));
    return this.#track(ts, ETW_TRACK, (track) => track.text(2, 'etw'));
  }

  /** A process, its parent and command line, and its `etw.process` instant. */
  process(
    ts: number,
    name: string,
    commandLine: string,
    annotations: Record<string, Annotation> & { pid: number },
  ): this {
    const uuid = this.#nextUuid++;
    const { pid, parent_pid: parentPid } = annotations;
    this.#processes.set(pid, uuid);
    this.#track(ts, uuid, (track) => track.message(3, (process) => process.varint(1, pid).text(6, name)));
    this.#packet(ts, null, (packet) =>
      packet.message(2, (tree) =>
        tree.message(1, (process) => {
          process.varint(1, pid);
          if (typeof parentPid === 'number') process.varint(2, parentPid);
          process.text(3, name).text(3, commandLine);
        }),
      ),
    );
    return this.#instant(ts, uuid, 'etw.process', annotations);
  }

  /** A thread and its `etw.thread` instant; with `create_ts` it starts here. */
  thread(
    ts: number,
    name: string | null,
    annotations: Record<string, Annotation> & { tid: number; pid: number },
  ): this {
    const uuid = this.#nextUuid++;
    const { tid, pid } = annotations;
    if (annotations.create_ts !== undefined) {
      this.#packet(ts, null, (packet) =>
        packet.message(117, (task) => task.varint(3, tid).varint(4, CREATED)),
      );
    }
    this.#track(ts, uuid, (track) =>
      track.message(4, (thread) => {
        thread.varint(1, pid).varint(2, tid);
        if (name !== null) thread.text(5, name);
      }),
    );
    return this.#instant(ts, uuid, 'etw.thread', annotations);
  }

  /** An image of the process that came last with this id. */
  image(ts: number, pid: number, annotations: Record<string, Annotation>): this {
    return this.#instant(ts, this.#processes.get(pid) ?? TRACE_TRACK, 'etw.image', { pid, ...annotations });
  }

  /** The end of a thread or process, by its id. */
  free(ts: number, id: number): this {
    this.#ranks.delete(id);
    return this.#packet(ts, null, (packet) =>
      packet.message(1, (bundle) =>
        bundle.varint(1, 0).message(2, (event) =>
          event
            .varint(1, ts)
            .varint(2, id)
            .message(240, (free) => free.varint(2, id)),
        ),
      ),
    );
  }

  /** A context switch; `sample` is of the run that starts here, and left out for the idle thread. */
  contextSwitch(
    ts: number,
    cpu: number,
    [oldTid, state, waitReason]: readonly [number, number, number],
    [newTid, newPriority, sample]: readonly [number, number, RunSample?],
  ): this {
    this.#packet(ts, null, (packet) =>
      packet.message(95, (bundle) =>
        bundle.varint(1, cpu).message(2, (event) =>
          event.varint(1, ts).message(2, (cSwitch) =>
            cSwitch
              .varint(1, newTid)
              .varint(2, oldTid)
              // The field is `sint32`: a number and its sign, folded together.
              .varint(3, newPriority * 2)
              .varint(8, state)
              .varint(11, waitReason),
          ),
        ),
      ),
    );
    if (sample === undefined) return this;
    this.runSample(ts, cpu, packRunSample(sample));
    return this.#rankBefore(ts, newTid, sample.rank ?? NOT_RECORDED);
  }

  /** The rank at the end of the thread's run before, where it is another than at the end of the one that starts here. */
  #rankBefore(ts: number, tid: number, rank: number): this {
    const before = this.#ranks.get(tid) ?? NOT_RECORDED;
    this.#ranks.set(tid, rank);
    return before === rank ? this : this.#counter(ts, RANK_BEFORE_TRACK, 'etw.rank_before', before);
  }

  /** A sample of a CPU's `etw.run` counter. */
  runSample(ts: number, cpu: number, value: number): this {
    return this.#counter(ts, runTrack(cpu), 'etw.run', value);
  }

  /** A DPC or an ISR that ends at `ts`; `source` is the number of its `etw.interrupt_source`. */
  interrupt(ts: number, cpu: number, source: number, dur: number): this {
    return this.#counter(ts, interruptTrack(cpu), `etw.interrupt ${cpu}`, source + dur * 2 ** 17);
  }

  /** The ideal processor of a thread that is switched out at `ts`. */
  idealCpu(ts: number, tid: number, cpu: number): this {
    return this.#counter(ts, IDEAL_CPU_TRACK, 'etw.ideal_cpu', tid + cpu * 2 ** 32);
  }

  /** `readiedTid` becomes ready; the waker is 0 in a DPC. */
  readyThread(ts: number, cpu: number, readiedTid: number, wakerTid: number): this {
    return this.#packet(ts, null, (packet) =>
      packet.message(95, (bundle) =>
        bundle.varint(1, cpu).message(2, (event) =>
          event
            .varint(1, ts)
            .varint(5, wakerTid)
            .message(3, (ready) => ready.varint(1, readiedTid)),
        ),
      ),
    );
  }

  /** A generic event: `tag` is `provider/event`, `fields` are its own data, `packed` some of them in another form. */
  genericEvent(
    ts: number,
    tag: string,
    [pid, tid]: readonly [number, number],
    id: number,
    fields: Readonly<Record<string, unknown>>,
    {
      packed,
      header,
      opcode,
    }: {
      readonly packed?: string;
      readonly header?: Readonly<Record<string, unknown>>;
      readonly opcode?: number;
    } = {},
  ): this {
    return this.#packet(ts, null, (packet) =>
      packet.message(39, (log) =>
        log.message(1, (event) =>
          event
            .varint(2, pid)
            .varint(3, tid)
            .varint(5, ts + this.#utcAhead_ns)
            .text(6, tag)
            .varint(7, 4)
            .text(8, JSON.stringify({ x: packed, i: id, o: opcode, c: 0, h: header, f: fields })),
        ),
      ),
    );
  }

  /** An event of a request to a file or a disk; an end whose begin is there came `since_ns` after it. */
  ioEvent(
    ts: number,
    tag: string,
    owner: readonly [number, number],
    fields: Readonly<Record<string, string | number>>,
    since_ns: number | '' = '',
  ): this {
    const right = (value: string | number | undefined, chars: number) => String(value ?? '').padStart(chars);
    const since = right(since_ns, 16);
    const packed = () => {
      if (tag.endsWith('Init')) return '';
      if (tag === 'FileIo/OperationEnd')
        return since + right(fields.ExtraInformation, 20) + right(fields.NtStatus, 11);
      if (tag.startsWith('FileIo/'))
        return right(fields.FileKey, 19) + right(fields.IoSize ?? fields.Length, 10);
      const flags = Number(/0x[0-9a-f]+|^\d+/.exec(String(fields.IrpFlags))?.[0] ?? 0);
      return [
        since,
        right(fields.HighResResponseTime_ns, 20),
        right(fields.FileObject, 19),
        right(fields.TransferSize, 10),
        right(fields.DiskNumber, 10),
        right(fields.IssuingThreadId, 10),
        right((flags >> 17) & 7, 2),
      ].join('');
    };
    return this.genericEvent(ts, tag, owner, 0, fields, { packed: packed() });
  }

  /** Begins the samples: `modules` are path, start and end of each, `frames` module, RVA and function, `stacks` frames from outside in. */
  beginSamples(
    ts: number,
    modules: readonly (readonly [string, number, number])[],
    frames: readonly (readonly [number, number, string?])[],
    stacks: readonly (readonly number[])[],
  ): this {
    return this.#packet(ts, SEQUENCE.samples, (packet) =>
      packet
        .varint(13, STATE_CLEARED)
        .message(59, (defaults) =>
          defaults.message(12, (samples) =>
            samples.message(1, (timebase) => timebase.text(10, 'etw.sample')),
          ),
        )
        .message(12, (interned) => {
          modules.forEach(([path, start, end], index) => {
            interned.message(17, (text) => text.varint(1, index + 1).text(2, path));
            interned.message(19, (mapping) => {
              mapping
                .varint(1, index + 1)
                .varint(4, start)
                .varint(5, end);
              if (path !== '') mapping.varint(7, index + 1);
            });
          });
          frames.forEach(([module, rva, name], index) => {
            if (name !== undefined) {
              interned.message(5, (text) => text.varint(1, index + 1).text(2, name));
            }
            interned.message(6, (frame) => {
              frame
                .varint(1, index + 1)
                .varint(3, module + 1)
                .varint(4, rva);
              if (name !== undefined) frame.varint(2, index + 1);
            });
          });
          stacks.forEach((stack, index) =>
            interned.message(7, (callstack) => {
              callstack.varint(1, index + 1);
              for (const frame of stack) callstack.varint(2, frame + 1);
            }),
          );
        }),
    );
  }

  /** A profile sample; `stack` counts from 0, `value` is the packed one of `docs/encoding.md`. */
  sample(
    ts: number,
    cpu: number,
    [pid, tid]: readonly [number, number],
    { stack, isKernel, value }: { stack: number; isKernel: boolean; value: number },
  ): this {
    return this.#packet(ts, SEQUENCE.samples, (packet) =>
      packet.varint(13, NEEDS_STATE).message(66, (sample) =>
        sample
          .varint(1, cpu)
          .varint(2, pid)
          .varint(3, tid)
          .varint(4, stack + 1)
          .varint(5, isKernel ? 1 : 2)
          .varint(6, value),
      ),
    );
  }

  /** An instant on the track `etw.trace`. */
  fact(ts: number, name: string, annotations: Record<string, Annotation> = {}): this {
    const { tid, sample } = annotations;
    if (name === 'etw.run_before') this.#ranks.set(Number(tid), Number(sample) % 256);
    return this.#instant(ts, TRACE_TRACK, name, annotations);
  }

  /** Lets the engine parse what came so far. */
  flush(ts: number): this {
    for (const field of [3, 3, 4]) {
      this.#packet(ts, null, (packet) => packet.message(69, (service) => service.varint(field, 1)));
    }
    return this;
  }

  finish(): Uint8Array {
    return concat(this.#packets);
  }

  #track(ts: number, uuid: number, describe: (track: WireWriter) => void): this {
    return this.#packet(ts, SEQUENCE.descriptors, (packet) =>
      packet.message(60, (track) => {
        track.varint(1, uuid);
        describe(track);
      }),
    );
  }

  /** A sample of a counter, which is made when it is first used. */
  #counter(ts: number, uuid: number, name: string, value: number): this {
    if (!this.#counters.has(uuid)) {
      this.#counters.add(uuid);
      this.#track(ts, uuid, (track) =>
        track
          .varint(5, ETW_TRACK)
          .text(2, name)
          .message(8, () => undefined),
      );
    }
    return this.#packet(ts, SEQUENCE.events, (packet) =>
      packet.message(11, (event) => event.varint(9, EVENT_TYPE.counter).varint(11, uuid).varint(30, value)),
    );
  }

  #instant(ts: number, uuid: number, name: string, annotations: Record<string, Annotation>): this {
    return this.#packet(ts, SEQUENCE.events, (packet) =>
      packet.message(11, (event) => {
        event.varint(9, EVENT_TYPE.instant).varint(11, uuid).text(23, name);
        for (const [key, value] of Object.entries(annotations)) {
          event.message(4, (annotation) => {
            if (typeof value === 'string') annotation.text(6, value);
            else annotation.varint(4, value);
            annotation.text(10, key);
          });
        }
      }),
    );
  }

  #packet(ts: number, sequence: number | null, write: (packet: WireWriter) => void): this {
    const packet = new WireWriter().message(1, (inner) => {
      inner.varint(8, ts);
      if (sequence !== null) inner.varint(10, sequence);
      write(inner);
    });
    this.#packets.push(packet.finish());
    return this;
  }
}
