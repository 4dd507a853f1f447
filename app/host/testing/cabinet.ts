import { deflateRawSync } from 'node:zlib';

/** A cabinet of one file that is packed by MSZIP, as MS-CAB lays it out. */
export function cabinetOf(fileName: string, content: Buffer): Buffer {
  const blockBytes = 1 << 15;
  const blocks: Buffer[] = [];
  for (let at = 0; at < content.length; at += blockBytes) {
    const block = content.subarray(at, at + blockBytes);
    const dictionary = at === 0 ? Buffer.of() : content.subarray(at - blockBytes, at);
    const packed = Buffer.concat([Buffer.from('CK'), deflateRawSync(block, { dictionary })]);
    blocks.push(numbers([0, 4], [packed.length, 2], [block.length, 2]), packed);
  }
  const name = Buffer.from(`${fileName}\0`);
  const filesAt = 44;
  const dataAt = filesAt + 16 + name.length;
  const data = Buffer.concat(blocks);
  return Buffer.concat([
    ...[Buffer.from('MSCF'), numbers([0, 4], [dataAt + data.length, 4], [0, 4], [filesAt, 4], [0, 4])],
    // Version 1.3, one folder, one file, no flags, set 0, the first.
    ...[Buffer.of(3, 1), numbers([1, 2], [1, 2], [0, 2], [0, 2], [0, 2])],
    ...[numbers([dataAt, 4], [blocks.length / 2, 2], [1, 2])],
    ...[numbers([content.length, 4], [0, 4], [0, 4], [0, 4]), name, data],
  ]);
}

/** Numbers in so many bytes, the lowest first. */
function numbers(...parts: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    parts.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}
