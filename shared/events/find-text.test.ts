import { expect, test } from 'vitest';
import { eachActivity, idsOf } from './activities.ts';
import { findText } from './find-text.ts';
import { loadEvents, readEventTexts } from './load-events.ts';
import { openEvents, type Row, type ShapeRow } from './testing.ts';

const ACTIVITY = '6f669bfa-816a-4204-a824-47c8e6a00474';
const HEADER = '{"SessionId":\u0001,"ActivityId":"\u0001"}';
const SHAPES: readonly ShapeRow[] = [
  ['FileIo/Read', null, '{"Irp":"0xffff\u0001","Size":\u0001,"At":[\u0001,\u0001]}'],
  ['A/b/c', HEADER, '{"é":[\u0001,true],"Path":"\u0001"}'],
  ['A/None', null, '{}'],
  ['A/Long', '\u0001', '\u0001'],
  ['A/Odd', '{"ActivityId":"0x\u0001"}', '{"a":"0x\u0001"}'],
];
const EVENTS: readonly Row[] = [
  [1n, 0, 5, 0, 'A81\u000112\u00012\u000134'],
  [2n, null, null, 1, `7\u0001${ACTIVITY}\u00015\u0001C:\\\\Äb\\"c\\\\`],
  [2n, 1, 5, 2, ''],
  [2n, 1, 6, 3, `{"ActivityId":"${ACTIVITY}","SessionId":12}\u0001{"a":"12,2"}`],
  [3n, 1, 6, 4, '12\u0001a'],
  [4n, 1, 6, 0, '\u00010\u00010\u00011'],
];

const tables = openEvents(SHAPES, EVENTS);

async function search(text: string): Promise<readonly number[]> {
  return [...(await findText(tables, await loadEvents(tables), text, true))];
}

test('events have their times, threads, and what they say', async () => {
  const events = await loadEvents(tables);
  expect([[...events.ts], [...events.utid], [...events.shape]]).toEqual([
    [1, 2, 2, 2, 3, 4],
    [5, 0, 5, 6, 6, 6],
    [0, 1, 2, 3, 4, 0],
  ]);
  expect(events.shapes[1]).toEqual({
    ...{ provider: 'A', name: 'b/c', event_id: 0, opcode: 1, task: 2, level: 4 },
    ...{ header: HEADER, fields: SHAPES[1]?.[2] },
  });
  expect(await readEventTexts(tables, events, [0, 1, 5])).toEqual([
    { cpu: 0, header: null, fields: '{"Irp":"0xffffA81","Size":12,"At":[2,34]}' },
    {
      cpu: null,
      header: `{"SessionId":7,"ActivityId":"${ACTIVITY}"}`,
      fields: '{"é":[5,true],"Path":"C:\\\\Äb\\"c\\\\"}',
    },
    { cpu: 1, header: null, fields: '{"Irp":"0xffff","Size":0,"At":[0,1]}' },
  ]);
  expect((await readEventTexts(tables, events, [3])).map(({ fields }) => fields)).toEqual(['{"a":"12,2"}']);
});

test('events have their activities, of shapes that are wanted', async () => {
  const told: (readonly [number, string])[] = [];
  const tell = (place: number, activity: string) => void told.push([place, activity]);
  const events = await loadEvents(tables);
  await eachActivity(tables, events, ({ name }) => name !== 'Long', tell);
  await eachActivity(tables, events, ({ name }) => name === 'Long', tell);
  expect(told).toEqual([
    [1, ACTIVITY],
    [4, '0x12'],
    [3, ACTIVITY],
  ]);
});

test.each([
  ['fileio/r', [1, 0, 0, 0, 0, 1]],
  ['IRP', [1, 0, 0, 0, 0, 1]],
  ['0XFFFFa8', [1, 0, 0, 0, 0, 0]],
  ['fa81', [1, 0, 0, 0, 0, 0]],
  ['81', [1, 1, 0, 1, 0, 0]],
  ['2,3', [1, 0, 0, 0, 0, 0]],
  ['[0,1]}', [0, 0, 0, 0, 0, 1]],
  ['12,2', [0, 0, 0, 1, 0, 0]],
  ['Äb"C\\', [0, 1, 0, 0, 0, 0]],
  // Of JSON, the end of the last text: a backslash, and the quote behind it.
  ['\\"}', [0, 0, 0, 0, 0, 0]],
  ['SessionId', [0, 0, 0, 0, 0, 0]],
  [ACTIVITY.toUpperCase(), [0, 1, 0, 1, 0, 0]],
  ['0x12', [0, 0, 0, 0, 1, 0]],
] as const)('%s is found', async (text, expected) => {
  expect(await search(text)).toEqual(expected);
});

/** Whether a text is in the JSON or in an id of an activity, whatever the case of letters of ASCII. */
function isIn(text: string, header: string | null, fields: string): boolean {
  const folded = (of: string) => of.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const wanted = folded(JSON.stringify(text).slice(1, -1));
  return [fields, ...Object.values(idsOf(header ?? ''))].some((of) => folded(of ?? '').includes(wanted));
}

test('any part of the JSON is found wherever it lies, and nothing else', async () => {
  const events = await loadEvents(tables);
  const texts = await readEventTexts(tables, events, [...EVENTS.keys()]);
  const parts = new Set<string>();
  for (const of of texts.flatMap(({ header, fields }) => [header ?? '', fields]))
    for (let start = 0; start < of.length; start++)
      for (let end = start + 1; end <= Math.min(of.length, start + 12); end++) {
        const part = of.slice(start, end);
        parts.add(part);
        parts.add(`${part.slice(0, -1)}2`);
        parts.add(`f${part.slice(1)}`);
      }
  const names = SHAPES.map(([kind]) => kind.toLowerCase());
  for (const part of parts) {
    const expected = texts.map(({ header, fields }, place) => {
      const isNamed = names[events.shape[place] ?? 0]?.includes(part.toLowerCase()) === true;
      return Number(isNamed || isIn(part, header, fields));
    });
    expect(await search(part), part).toEqual(expected);
  }
});
