import * as z from 'zod';
import {
  compareTraces,
  intervalWords,
  mostOf,
  verdict,
  type Comparison,
} from '../../../shared/compare/index.ts';
import type { ViewTable } from '../../../shared/view/index.ts';
import { measureTrace } from '../../questions/measure-trace.ts';
import { tableOf } from '../table.ts';
import { COMMON, makeTool, STRETCH, stretchOf } from '../tool.ts';

/** What changed from one trace to another. */
export const compare = makeTool({
  name: 'compare',
  title: 'Compare two traces',
  description:
    'What changed from the trace before (A) to this trace (B): CPU time, ready time by cause, blocked time by wait reason and waker, sampled CPU time by module, I/O by kind, of each process, with an interval. A row whose interval holds zero says that nothing can be told.',
  takes: {
    ...COMMON,
    before: z.string().max(4096).describe('name or path of the trace before: A'),
    ...STRETCH,
    before_from: STRETCH.from.describe('likewise, of the trace before'),
    before_to: STRETCH.to.describe('likewise; the end of its stretch'),
    top: z.number().int().min(1).max(10_000).optional().describe('how many rows of each table'),
  },
  async answer(trace, given, say) {
    const before = await trace.another(given.before);
    const sides = [
      {
        asked: before,
        range: stretchOf(before.summary.range, { from: given.before_from, to: given.before_to }),
      },
      { asked: trace, range: stretchOf(trace.summary.range, given) },
    ];
    const measured = [];
    for (const { asked, range } of sides) {
      const { name } = asked.opened;
      say(`measuring ${name}`);
      measured.push(await measureTrace(asked.query, { name, range }, () => undefined));
    }
    const comparison = compareTraces(measured.slice(0, 1), measured.slice(1));
    const isLacking = (note: string) => note.startsWith('Not compared:');
    return {
      says: [verdict(comparison), ...comparison.notes.filter((note) => !isLacking(note))],
      tables: [recordingTable(comparison), changeTable(comparison), totalTable(comparison)].filter(
        ({ rows }) => rows.length > 0,
      ),
      top: given.top,
      left_out: ['Callers of sampled functions, hard faults, findings and power states are not compared.'],
      evidence: [
        'Seconds are drawn anew 400 times (a bootstrap): all intervals hold together in 95 of 100 comparisons.',
        'Processes are matched by image, command line and parent; ids tell nothing in another trace.',
      ],
      not_concluded: [
        'A difference between two runs is no proof of a cause: how runs differ by themselves is known from several traces a side alone.',
      ],
      not_recorded: comparison.notes.filter(isLacking),
    };
  },
});

function recordingTable({ recording }: Comparison): ViewTable {
  const rows = recording.map(({ what, a, b }) => [what, a, b]);
  return tableOf('The recordings differ', { in: 'text', a: 'text', b: 'text' }, rows);
}

function changeTable({ changes, processes }: Comparison): ViewTable {
  const rows = changes.map((change) => [
    change.delta_ns,
    intervalWords(change),
    change.a_ns,
    change.b_ns,
    processes[change.process]?.name ?? null,
    change.what,
    mostOf(change),
  ]);
  return tableOf(
    'What changed',
    {
      delta_ns: 'duration_ns',
      between: 'text',
      a_ns: 'duration_ns',
      b_ns: 'duration_ns',
      process: 'text',
      what: 'text',
      most_of_it: 'text',
    },
    rows,
  );
}

function totalTable({ totals }: Comparison): ViewTable {
  const rows = totals.map((total) => [
    total.delta_ns,
    intervalWords(total),
    total.a_ns,
    total.b_ns,
    total.what,
  ]);
  return tableOf(
    'All processes',
    { delta_ns: 'duration_ns', between: 'text', a_ns: 'duration_ns', b_ns: 'duration_ns', what: 'text' },
    rows,
  );
}
