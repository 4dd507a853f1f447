import { crc32 } from 'node:zlib';

/** An entry of a zip as no writer of zips would make it. */
export interface RawEntry {
  readonly name: string;
  readonly data: Buffer;
  /** How many bytes it declares; absent: as many as it has. */
  readonly declared?: number;
  /** 0: stored; 8: deflated. */
  readonly method?: number;
}

/** A zip of such entries, by their fields alone. */
export function zipOf(entries: readonly RawEntry[]): Buffer<ArrayBuffer> {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const { name, data, declared = data.length, method = 0 } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x0403_4b50, 0);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x0201_4b50, 0);
    for (const [header, start] of [
      [local, 4],
      [central, 6],
    ] as const) {
      header.writeUInt16LE(20, start);
      header.writeUInt16LE(method, start + 4);
      header.writeUInt32LE(method === 0 ? crc32(data) : 0, start + 10);
      header.writeUInt32LE(data.length, start + 14);
      header.writeUInt32LE(declared, start + 18);
      header.writeUInt16LE(name.length, start + 22);
    }
    central.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), data);
    centrals.push(central, Buffer.from(name));
    at += local.length + name.length + data.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
