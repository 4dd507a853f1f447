import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { cpuSampled } from '../../views/cpu-sampled/view.ts';
import { runaway } from '../../views/runaway/view.ts';
import { describeReal, root, startHost, temporaryFolder } from '../../app/host/testing/real.ts';

const FILE = join(root, '..', 'shared', 'etl', 'net.4.5.2.x64.etl.zip');
if (!existsSync(FILE)) console.warn(`SKIPPED: the profile of a real trace, since ${FILE} is missing`);

const KERNEL = 1n << 63n;
const BUFFER_HEADER_BYTES = 0x48;
const COMPRESSED = 0x40;
const HOOK = {
  sample: 0x0f2e,
  stack: 0x1820,
  keyed: [0x1825, 0x1826],
  keys: [0x1823, 0x1824],
  threads: [0x0501, 0x0504],
  imageLoad: 0x030a,
  images: [0x1402, 0x1404],
};

/** The first file of a zip. */
function unzip(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const directory = zip.readUInt32LE(end + 16);
  const packed = zip.readUInt32LE(directory + 20);
  const local = zip.readUInt32LE(directory + 42);
  const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  return inflateRawSync(zip.subarray(data, data + packed));
}

/** Plain LZ77 of MS-XCA. */
function unpack(input: Buffer, bytes: number): Buffer {
  const out = Buffer.alloc(bytes);
  let [at, filled, flags, left, nibbleAt] = [0, 0, 0, 0, -1];
  while (filled < bytes && at < input.length) {
    if (left === 0) {
      flags = input.readUInt32LE(at);
      at += 4;
      left = 32;
    }
    left--;
    if (((flags >>> left) & 1) === 0) {
      out[filled++] = input.readUInt8(at++);
      continue;
    }
    const value = input.readUInt16LE(at);
    at += 2;
    let length = value & 7;
    if (length === 7) {
      let nibble;
      if (nibbleAt === -1) {
        nibbleAt = at++;
        nibble = input.readUInt8(nibbleAt) & 15;
      } else {
        nibble = input.readUInt8(nibbleAt) >> 4;
        nibbleAt = -1;
      }
      length += nibble;
      if (nibble === 15) {
        const more = input.readUInt8(at++);
        length += more;
        if (more === 255) {
          length = input.readUInt16LE(at);
          at += 2;
        }
      }
    }
    const distance = (value >> 3) + 1;
    for (let copied = 0; copied < length + 3 && filled < bytes; copied++, filled++) {
      out[filled] = out.readUInt8(filled - distance);
    }
  }
  return out;
}

/** Calls `look` with hook, payload and raw time of each event that has a hook. */
function walk(file: Buffer, look: (hook: number, payload: Buffer, time: bigint) => void): void {
  for (let at = 0; at < file.length; at += file.readUInt32LE(at)) {
    const body = file.subarray(at + BUFFER_HEADER_BYTES, at + file.readUInt32LE(at));
    const bytes = file.readUInt32LE(at + 0x30) - BUFFER_HEADER_BYTES;
    const isPacked = (file.readUInt16LE(at + 0x34) & COMPRESSED) !== 0;
    const events = isPacked ? unpack(body, bytes) : body.subarray(0, bytes);
    for (let event = 0; event + 8 <= events.length;) {
      const header = new Map([
        [1, 0x20],
        [2, 0x20],
        [3, 0x18],
        [4, 0x18],
        [0x10, 0x10],
        [0x11, 0x10],
      ]).get(events.readUInt8(event + 2));
      const size = events.readUInt16LE(header === undefined ? event : event + 4);
      if (size === 0) break;
      if (header !== undefined) {
        // The short headers of samples and stacks have the time behind the hook, the longer ones further on.
        const time = header === 0x10 ? events.readBigUInt64LE(event + 8) : 0n;
        look(events.readUInt16LE(event + 6), events.subarray(event + header, event + size), time);
      }
      event += Math.ceil(size / 8) * 8;
    }
  }
}

/**
 * Samples outside the idle thread by `module+0xrva`, and by module: those at it, and those with it anywhere in their stack.
 */
function countSamples(file: Buffer) {
  const images = new Map<string, { base: bigint; end: bigint; path: string; name: string; pid: number }>();
  const pids = new Map<number, number>();
  const samples: { address: bigint; tid: number; time: bigint }[] = [];
  const stacks: Stacks = new Map();
  const references: { payload: Buffer; time: bigint }[] = [];
  const definitions = new Map<bigint, { time: bigint; addresses: readonly bigint[] }[]>();
  walk(file, (hook, payload, time) => {
    if (hook === HOOK.sample) {
      samples.push({ address: payload.readBigUInt64LE(0), tid: payload.readUInt32LE(8), time });
    } else if (hook === HOOK.stack) {
      addStack(stacks, payload, addressesFrom(payload, 16));
    } else if (HOOK.keyed.includes(hook)) {
      references.push({ payload, time });
    } else if (HOOK.keys.includes(hook)) {
      const key = payload.readBigUInt64LE(0);
      const known = definitions.get(key) ?? [];
      definitions.set(key, [...known, { time, addresses: addressesFrom(payload, 8) }]);
    } else if (hook >= (HOOK.threads[0] ?? 0) && hook <= (HOOK.threads[1] ?? 0)) {
      pids.set(payload.readUInt32LE(4), payload.readUInt32LE(0));
    } else if (hook === HOOK.imageLoad || (hook >= (HOOK.images[0] ?? 0) && hook <= (HOOK.images[1] ?? 0))) {
      const base = payload.readBigUInt64LE(0);
      const pid = base >= KERNEL ? 0 : payload.readUInt32LE(0x10);
      const path = payload.subarray(0x38).toString('utf16le').split('\0')[0] ?? '';
      const end = base + payload.readBigUInt64LE(8);
      images.set(`${pid} ${base}`, { base, end, pid, path, name: path.split('\\').at(-1) ?? '' });
    }
  });
  for (const { payload, time } of references) {
    // Keys are used again: that of a reference is the one that is told next.
    const told = (definitions.get(payload.readBigUInt64LE(16)) ?? [])
      .filter((definition) => definition.time >= time)
      .sort((a, b) => Number(a.time - b.time));
    addStack(stacks, payload, told[0]?.addresses ?? []);
  }
  const [own, inclusive] = [newSums(), newSums()];
  const add = (sums: Map<string, number>, key: string) => sums.set(key, (sums.get(key) ?? 0) + 1);
  const all = [...images.values()];
  const known = new Map<
    string,
    { readonly function: string; readonly module: string; readonly path: string }
  >();
  const nameOf = (address: bigint, pid: number | undefined) => {
    const key = `${pid} ${address}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const image = all.find(
      (of) => (of.base >= KERNEL || of.pid === pid) && address >= of.base && address < of.end,
    );
    const named = {
      function:
        image === undefined
          ? `0x${address.toString(16)}`
          : `${image.name}+0x${(address - image.base).toString(16)}`,
      module: image?.name ?? 'unknown code',
      path: image?.path ?? '',
    };
    known.set(key, named);
    return named;
  };
  for (const { address, tid, time } of samples) {
    if (tid === 0) continue;
    const pid = pids.get(tid);
    const at = nameOf(address, pid);
    add(own.functions, at.function);
    add(own.modules, at.module);
    const places = [address, ...(stacks.get(`${time} ${tid}`) ?? [])].map((place) => nameOf(place, pid));
    for (const name of new Set(places.map((place) => place.function))) add(inclusive.functions, name);
    // Two files of one name are two modules.
    for (const { module } of new Map(places.map((place) => [place.path, place])).values()) {
      add(inclusive.modules, module);
    }
  }
  return { samples: samples.filter(({ tid }) => tid !== 0).length, own, inclusive };
}

/** The addresses of stacks by time and thread of their events: the kernel's half and the user's are events of their own. */
type Stacks = Map<string, bigint[]>;

function addStack(stacks: Stacks, payload: Buffer, addresses: readonly bigint[]): void {
  const key = `${payload.readBigUInt64LE(0)} ${payload.readUInt32LE(12)}`;
  stacks.set(key, [...(stacks.get(key) ?? []), ...addresses]);
}

function addressesFrom(payload: Buffer, first: number): bigint[] {
  const addresses: bigint[] = [];
  for (let at = first; at + 8 <= payload.length; at += 8) addresses.push(payload.readBigUInt64LE(at));
  return addresses;
}

function newSums() {
  return { functions: new Map<string, number>(), modules: new Map<string, number>() };
}

/** Files of .NET methods that were compiled at run time: their code is in no image. */
const MANAGED = [
  'Microsoft.Diagnostics.Tracing.TraceEvent.dll',
  'mscorlib.dll',
  'PerfView.exe',
  'PresentationCore.dll',
  'PresentationFramework.dll',
  'System.dll',
  'Test.x64.exe',
  'WindowsBase.dll',
];
const TOP = 40;

/** The largest sums, equal ones by name. */
function largest(sums: Iterable<readonly [string, number]>): readonly (readonly [string, number])[] {
  return [...sums].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, TOP);
}

/** By thread id, the samples outside DPCs and ISRs that have the stack that most of them have, as texts of all its frames. */
async function countRecurring(query: Query): Promise<ReadonlyMap<number, number>> {
  const frames = await query(`
    SELECT
      callsite, caller,
      ifnull(module, '?') || ' ' || ifnull(function, printf('%x', ifnull(rva, address) >> 12)) AS place
    FROM etw_stack_frame`);
  const stacks = new Map<number, string>();
  for (const { callsite, caller, place } of frames.rows()) {
    stacks.set(Number(callsite), `${caller === null ? '' : stacks.get(Number(caller))} < ${String(place)}`);
  }
  const samples = await query(`
    SELECT t.tid, s.callsite, COUNT(*) AS samples
    FROM etw_sample AS s
    JOIN etw_thread AS t USING (utid)
    WHERE NOT s.in_dpc AND NOT s.in_isr
    GROUP BY s.utid, s.callsite`);
  const sums = new Map<string, number>();
  const most = new Map<number, number>();
  for (const { tid, callsite, samples: count } of samples.rows()) {
    const key = `${String(tid)} ${stacks.get(Number(callsite))}`;
    const sum = (sums.get(key) ?? 0) + Number(count);
    sums.set(key, sum);
    most.set(Number(tid), Math.max(most.get(Number(tid)) ?? 0, sum));
  }
  return most;
}

describe.skipIf(!existsSync(FILE))('net.4.5.2.x64.etl.zip', () => {
  describeReal('sampled profile', () => {
    test('the hottest instructions and modules are those of a count of the raw samples', async () => {
      const host = startHost(join(temporaryFolder(), 'cache'));
      const { id } = await host.open(FILE, {});
      const query = makeQuery((sql) => host.query(id, sql));
      const range = { start: 0, end: 1e12 };
      const look = (frames: string) =>
        cpuSampled.load(query, readParams(cpuSampled.params, { frames, rows: 100_000 }), range);
      // By name: two files of one name, as for programs of 32 and 64 bits, are two modules.
      const sum = ({ functions }: Awaited<ReturnType<typeof look>>, column: 'self' | 'samples') => {
        const sums = new Map<string, number>();
        for (const { label, [column]: count } of functions) {
          if (count > 0) sums.set(label, (sums.get(label) ?? 0) + count);
        }
        return sums;
      };
      const expected = countSamples(unzip(readFileSync(FILE)));
      const byAddress = await look('address');
      expect(byAddress.samples).toBe(expected.samples);
      expect(byAddress.functions).toHaveLength(byAddress.function_count);
      // What the address is followed by is the method of .NET that it is in.
      const addresses = (sums: ReadonlyMap<string, number>) =>
        largest([...sums].map(([label, count]) => [label.split(' ')[0] ?? '', count] as const));
      expect(addresses(sum(byAddress, 'self'))).toEqual(largest(expected.own.functions));
      expect(addresses(sum(byAddress, 'samples'))).toEqual(largest(expected.inclusive.functions));
      const byModule = await look('module');
      const modules = new Map<string, number>();
      for (const [module, count] of sum(byModule, 'self')) {
        const image = MANAGED.includes(module) ? 'unknown code' : module;
        modules.set(image, (modules.get(image) ?? 0) + count);
      }
      expect(largest(modules)).toEqual(largest(expected.own.modules));
      // A stack may be in code of several methods' files, and in code of a file that was not in memory at that time, which is
      // unknown; the count looks neither at methods nor at times.
      const ofImages = (sums: ReadonlyMap<string, number>) =>
        largest([...sums].filter(([module]) => module !== 'unknown code' && !MANAGED.includes(module)));
      expect(ofImages(sum(byModule, 'samples'))).toEqual(ofImages(expected.inclusive.modules));

      const { threads } = await runaway.load(query, readParams(runaway.params, {}), range);
      const recurring = await countRecurring(query);
      const told = threads.filter(({ tid, stack }) => tid !== null && stack !== null);
      expect(told.length).toBeGreaterThan(10);
      expect(told.map(({ tid, stack }) => [tid, stack?.samples])).toEqual(
        told.map(({ tid }) => [tid, recurring.get(tid ?? -1)]),
      );
    });
  });
});
