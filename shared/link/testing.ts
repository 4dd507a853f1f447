import type { LinkState } from './state.ts';

/** A state with something in every part. */
export const FULL_STATE: LinkState = {
  title: 'Who held the CPU',
  trace: {
    id: 'ab'.repeat(32),
    name: 'lock-screen.etl',
    sizeBytes: 12_345_678,
    part: { from: '10s', to: '60s', only: [], skip: ['io'] },
    server: 'https://traces.example.com',
  },
  from: 'https://traces.example.com/boot.etl',
  place: {
    view: 'ready-latency',
    sql: '',
    params: { process: 'Lock & Co', at_least_ms: 2.5, all: true, only: null },
    range: { start: 1_000_000_000, end: 31_000_000_000 },
    selection: {
      span: { start: 30_333_000_000, end: 49_826_000_000 },
      thread: { tid: 5128, ts: 30_333_000_000 },
      pid: 77,
    },
    marks: [
      { slot: 1, ts: 30_333_000_000, label: 'LockApp.exe: Ready at' },
      { slot: 0, ts: 6_900_000_000, label: 'key @ home & away' },
    ],
  },
  panels: [
    { name: 'ready by rank', sql: '-- title: Ready time by rank\nSELECT 1;\n' },
    { name: 'wakes', sql: 'SELECT :top;\n', pinned: false },
  ],
  dashboard: {
    name: 'logon',
    title: 'Logon & lock',
    columns: 3,
    panels: [
      { panel: 'wakes', params: { top: 3 }, width: 2 },
      { panel: 'ready by rank', width: 1 },
      { panel: 'wakes', width: 3 },
    ],
  },
};

/** Changes, cuts, doubles or moves a few bytes. */
export function mutate(bytes: Buffer, random: (below: number) => number): Buffer {
  const changed = [...bytes];
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(changed.length);
    const kind = random(4);
    if (kind === 0) changed[at] = random(256);
    else if (kind === 1) changed.splice(at, 1 + random(8));
    else if (kind === 2) changed.splice(at, 0, ...changed.slice(at, at + 1 + random(16)));
    else changed.length = at;
    if (changed.length === 0) changed.push(random(256));
  }
  return Buffer.from(changed);
}
