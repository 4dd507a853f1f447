import type { Measure } from './index.ts';

const SECOND_NS = 1e9;

/** Of each thread the second of the recording in which it changed its CPU most often. */
export const migrated: Measure = {
  columns: ['utid', 'ts', 'dur', 'moves', 'runs', 'ran_ns', 'cpus'],
  async rows(recording) {
    const { whole } = recording;
    const { runs } = await recording.read();
    const [ts, te, cpu, utids] = [
      runs.column('ts'),
      runs.column('te'),
      runs.column('cpu'),
      runs.column('utid'),
    ];
    const found: number[][] = [];
    const runsOf = runs.by('utid');
    const seen = new Set<number>(utids);
    for (const utid of seen) {
      if (utid === 0) continue;
      let [most, before] = [EMPTY, NaN];
      let second = { ...EMPTY, number: -1, on: new Set<number>() };
      for (const run of runsOf(utid)) {
        const number = Math.floor(((ts[run] ?? 0) - whole.start) / SECOND_NS);
        if (number !== second.number) second = { ...EMPTY, number, on: new Set() };
        const own = cpu[run] ?? NaN;
        second.runs++;
        second.ran_ns += (te[run] ?? 0) - (ts[run] ?? 0);
        second.on.add(own);
        if (!Number.isNaN(before) && own !== before) second.moves++;
        before = own;
        if (second.moves > most.moves)
          most = {
            number,
            moves: second.moves,
            runs: second.runs,
            ran_ns: second.ran_ns,
            cpus: second.on.size,
          };
      }
      if (most.moves === 0) continue;
      const start = whole.start + most.number * SECOND_NS;
      const dur = Math.min(SECOND_NS, whole.end - start);
      found.push([utid, start, dur, most.moves, most.runs, most.ran_ns, most.cpus]);
    }
    return found.sort((a, b) => (b[3] ?? 0) - (a[3] ?? 0));
  },
};

const EMPTY = { number: -1, moves: 0, runs: 0, ran_ns: 0, cpus: 0 };
