import { expect, test } from 'vitest';
import { EngineError } from '../engine/index.ts';
import { withNearestTable } from './nearest-table.ts';

test.each([
  ['no such table: etw_threads', 'no such table: etw_threads: did you mean etw_thread?'],
  ['no such table: etw_readywait', 'no such table: etw_readywait: did you mean etw_ready_wait?'],
  ['no such table: etw_thread', 'no such table: etw_thread'],
  ['no such table: customers', 'no such table: customers'],
  ['no such column: etw_threads', 'no such column: etw_threads'],
])('%s is told as %s', (message, told) => {
  const place = { line: 2, column: 8 };
  expect(withNearestTable(new EngineError('sql', message, place))).toEqual(
    new EngineError('sql', told, place),
  );
});
