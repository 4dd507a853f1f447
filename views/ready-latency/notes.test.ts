import { expect, test } from 'vitest';
import { missingNotes } from './notes.ts';

const all = {
  has_switches: true,
  has_ready_threads: true,
  has_ranks: true,
  has_compact_switches: false,
  losses: 0,
};

test('a whole recording needs no note', () => {
  expect(missingNotes(all)).toEqual([]);
});

test('what is missing is said, with what would record it', () => {
  expect(missingNotes({ ...all, has_switches: false, has_ready_threads: false, has_ranks: false })).toEqual([
    'No context switches were recorded, so nothing is known of waiting. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).',
  ]);
  expect(missingNotes({ ...all, has_ready_threads: false, has_ranks: false, losses: 2 })).toEqual([
    'No ready-thread events were recorded: when a waiting thread became ready is not known, only preemptions are shown. Record with the kernel flag DISPATCHER (in WPR: keyword ReadyThread).',
    'Thread ranks were not recorded: they come with context switches of version 2 or later, not with compact ones.',
    'Events were lost in 2 gaps of this range: waits and runs there may be missing, too long, or joined from two.',
  ]);
});

test('of compact context switches it is said what is not in them', () => {
  expect(missingNotes({ ...all, has_ranks: false, has_compact_switches: true })).toEqual([
    'Context switches were recorded in their compact form, without ranks, thread states and wait reasons. Record with the kernel flag CSWITCH and without COMPACT_CSWITCH.',
    'Waits of preempted threads are therefore not known.',
  ]);
});
