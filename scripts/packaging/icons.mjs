import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { root } from './root.mjs';

const drawing = readFileSync(join(root, 'app', 'ui', 'icon.svg'), 'utf8');
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));

/**
 * The icon as PNG.
 * @param {number} side its width and height, in pixels
 */
export function png(side) {
  const picture = new Resvg(drawing, { fitTo: { mode: 'width', value: side } });
  return Buffer.from(picture.render().asPng());
}

/** The icon for Windows: an ICO file of PNGs. */
export function ico() {
  const sides = [16, 32, 48, 64, 256];
  const pictures = sides.map(png);
  const head = Buffer.alloc(6 + 16 * sides.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sides.length, 4);
  let offset = head.length;
  for (const [i, picture] of pictures.entries()) {
    const entry = head.subarray(6 + 16 * i, 22 + 16 * i);
    // 256 is written as 0.
    entry.fill(Number(sides[i]) % 256, 0, 2);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(picture.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}

/** The icon for macOS: an ICNS file of PNGs. */
export function icns() {
  const kinds = /** @type {const} */ ([
    ['ic07', 128],
    ['ic08', 256],
    ['ic09', 512],
    ['ic10', 1024],
  ]);
  const parts = kinds.map(([kind, side]) => chunk(kind, png(side)));
  return chunk('icns', Buffer.concat(parts));
}

/**
 * @param {string} kind
 * @param {Buffer} content
 */
function chunk(kind, content) {
  const head = Buffer.from(`${kind}\0\0\0\0`, 'latin1');
  head.writeUInt32BE(head.length + content.length, 4);
  return Buffer.concat([head, content]);
}
