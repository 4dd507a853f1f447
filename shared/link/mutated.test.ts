import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LinkError, makeLink, readLink } from './codec.ts';
import { randomNumbers } from './random.ts';
import { NO_LINK, readState, writeState } from './state.ts';
import { FULL_STATE, mutate } from './testing.ts';

/** Changes a letter or digit, so that what is read stays JSON more often than not. */
function misspell(json: string, random: (below: number) => number): string {
  const at = random(json.length);
  const other = 'azAZ09-'.charAt(random(7));
  return json.slice(0, at) + json.slice(at).replace(/\w/, other);
}

test('10 000 mutated links read as a state or end in one kind of error', { timeout: 120_000 }, async () => {
  const link = await makeLink(FULL_STATE);
  const [address = '', data = ''] = link.split('#3.');
  const json = inflateRawSync(Buffer.from(data, 'base64url'));
  const random = randomNumbers(1);
  const pack = (state: Buffer | string) => `${address}#3.${deflateRawSync(state).toString('base64url')}`;
  const seen = { state: 0, refused: 0 };
  for (let at = 0; at < 10_000; at++) {
    const hostile = [
      () => mutate(Buffer.from(link), random).toString('latin1'),
      () => `${address}#3.${mutate(Buffer.from(data, 'base64url'), random).toString('base64url')}`,
      () => pack(mutate(json, random)),
      () => pack(misspell(json.toString(), random)),
    ][at % 4]?.();
    if (hostile === undefined) continue;
    try {
      const { state } = await readLink(hostile);
      expect(readState(writeState(state)), hostile).toEqual({ state, notes: [] });
      seen.state += 1;
    } catch (error) {
      if (!(error instanceof LinkError)) throw new Error(hostile, { cause: error });
      seen.refused += 1;
    }
  }
  expect(seen.state).toBeGreaterThan(500);
  expect(seen.refused).toBeGreaterThan(500);
});

test('any state that can be read reads back from its link', async () => {
  const random = randomNumbers(2);
  const text = (most: number) =>
    String.fromCodePoint(...Array.from({ length: random(most) }, () => 32 + random(0xd000)));
  for (let at = 0; at < 300; at++) {
    const start = random(2 ** 50);
    const wanted = {
      ...NO_LINK,
      title: text(100),
      trace: {
        id: random(2 ** 50)
          .toString(16)
          .padStart(64, '0'),
        name: text(90),
        sizeBytes: random(2 ** 50),
      },
      place: {
        ...NO_LINK.place,
        sql: text(500),
        params: Object.fromEntries(Array.from({ length: random(9) }, (_, n) => [`p${n}`, text(50)])),
        range: { start, end: start + 1 + random(1000) },
      },
    };
    expect(await readLink(await makeLink(wanted))).toEqual({ state: wanted, notes: [] });
  }
});
