import { expect, test } from 'vitest';
import { packModel, unpackModel } from './pack.ts';

interface Frame {
  readonly name: string;
  readonly children: readonly Frame[];
}

/** A call that calls itself so many times. */
function recursion(calls: number): Frame {
  let frame: Frame = { name: 'last', children: [] };
  for (let call = 1; call < calls; call += 1) frame = { name: `call ${call}`, children: [frame] };
  return frame;
}

test('a model of deep stacks is as before once it was packed', () => {
  const model = { root: recursion(1000), pixels: new Uint8Array([1, 2, 3]) };
  expect(unpackModel(packModel(model))).toEqual(model);
});
