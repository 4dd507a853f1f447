import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  everything,
  hasEvents,
  notRecorded,
  recordedBy,
  recordingNotes,
  signalOf,
  SIGNALS,
  unrecordedBy,
  type EventCount,
  type RecordingNeeds,
  type Signal,
  type SignalId,
} from './index.ts';

const needs: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'who ran is not known', is_required: true },
    { signal: 'ready_threads', without: 'who woke whom is not known' },
    { signal: 'switch_states', without: 'reasons are not known' },
    { signal: 'ranks', without: 'ranks are not shown', part_of: 'switch_states' },
    { signal: 'freezes', without: 'whether it was frozen is not known' },
    { signal: 'symbols', without: 'functions have no names' },
  ],
  gaps: 'runs there may be missing',
};
const all: readonly SignalId[] = [
  'switches',
  'ready_threads',
  'switch_states',
  'ranks',
  'freezes',
  'symbols',
];
const notes = (without: readonly SignalId[], selected: string | null = null, gaps = 0) =>
  recordingNotes(needs, new Set(all.filter((id) => !without.includes(id))), selected, gaps);

test('a whole recording needs no note', () => {
  expect(notes([])).toEqual({ unrecorded: null, notes: [] });
});

test('what is missing is said, with what would record it; a part of something missing is not said twice', () => {
  expect(notes(['switch_states', 'ranks', 'freezes', 'symbols'], null, 2)).toEqual({
    unrecorded: null,
    notes: [
      'No thread states and wait reasons were recorded: reasons are not known. Record with the kernel flag CSWITCH without COMPACT_CSWITCH (in WPR: the CPU profile).',
      'There were no freezes of processes, or they were not recorded: whether it was frozen is not known. Record the provider Microsoft-Windows-Kernel-Process with the keyword 0x200 (PROCESS_FREEZE).',
      'There are no symbols: functions have no names. They come from symbol files (the panel Symbols, or --symbols PATH).',
      'Events were lost in 2 gaps: runs there may be missing.',
    ],
  });
});

test('without what a view must have, one note names all that the same recording would tell', () => {
  const sentence =
    'No context switches were recorded: who ran is not known. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).';
  expect(notes(['switches', 'ready_threads', 'freezes'], null, 1)).toEqual({
    unrecorded: sentence,
    notes: [sentence],
  });
});

test('what was left out on opening is not called unrecorded', () => {
  const left = notes(['switches', 'freezes'], 'skip scheduling,samples');
  expect(left.unrecorded).toBe(
    'The part that was opened has no context switches: who ran is not known. It was opened with: skip scheduling,samples.',
  );
  expect(notes(['freezes'], 'only scheduling').notes).toEqual([
    'The part that was opened has no freezes of processes: whether it was frozen is not known. It was opened with: only scheduling.',
  ]);
});

const count = (provider: string, event: string): EventCount => ({
  ...{ provider, event, fate: 'converted' },
  count: 1,
});

test('events show what was recorded: an event goes by its name, with whatever opcode', () => {
  const freezes = [count('Microsoft-Windows-Kernel-Process', 'ProcessFreeze/Start')];
  expect(hasEvents(signalOf('freezes'), freezes)).toBe(true);
  expect(hasEvents(signalOf('freezes'), [count('Other', 'ProcessFreeze')])).toBe(false);
  expect(hasEvents(signalOf('ranks'), [])).toBeNull();
});

test('a view is unrecorded where no events tell what it requires, unless other events name it or it shows something else', () => {
  const of = (needed: RecordingNeeds, ...kinds: readonly EventCount[]) => unrecordedBy(needed, kinds);
  expect(of(needs, count('Process', 'Start'))).toMatch(
    /^No context switches were recorded: who ran is not known/,
  );
  expect(of(needs, count('Thread', 'CSwitch'))).toBeNull();
  expect(of({ ...needs, shows_alone: ['freezes'] }, count('PerfInfo', 'SampledProfile'))).not.toBeNull();
  const freeze = count('Microsoft-Windows-Kernel-Process', 'ProcessFreeze/Start');
  expect(of({ ...needs, shows_alone: ['freezes'] }, freeze)).toBeNull();
  expect(of({ needs: [{ signal: 'threads', without: 'none is listed', is_required: true }] })).toBeNull();
});

test('a list of what is missing has no part of something that is missing as a whole', () => {
  const titles = (kinds: readonly EventCount[]) => notRecorded(kinds).map(({ what }) => what.split(':')[0]);
  expect(titles([])).not.toContain('Thread states and wait reasons');
  expect(titles([count('Thread', 'CompactCSwitch')])).toContain('Thread states and wait reasons');
});

test('the recording of everything records each signal that is not heavy, but what no session can', () => {
  const { flags, providers } = everything();
  const signals: readonly Signal[] = SIGNALS;
  const open = signals.filter(({ recipe, is_heavy }) => {
    if (is_heavy === true) return false;
    if ('flags' in recipe) return !recipe.flags.every((name) => flags.some(({ flag }) => flag === name));
    if ('provider' in recipe) {
      const on = providers.find(({ name }) => name === recipe.provider)?.keyword ?? 0n;
      return (on & (recipe.keyword ?? 0n)) !== (recipe.keyword ?? 0n);
    }
    return true;
  });
  expect(open.map((signal) => [signal.id, recordedBy(signal)])).toEqual([
    ['ranks', 'context switches of Windows 7 or later (version 2), not compact ones'],
    ['services', 'any kernel session that was stopped in good order (WPR, xperf), on Windows 7 or later'],
    ['input', 'UIforETW and its input tracing (the provider Multi-Input)'],
    ['counters', 'xperf with -Pmc COUNTER,… CSwitch, or a WPR profile with HardwareCounter'],
    [
      'generic_events',
      'any provider that is switched on (xperf: -on NAME; WPR: a profile with an EventProvider)',
    ],
    ['symbols', 'symbol files (the panel Symbols, or --symbols PATH)'],
    ['kernel_functions', 'symbol files of the kernel and of drivers (the panel Symbols, or --symbols PATH)'],
  ]);
});

test('docs/recording.md and docs/outrank.wprp say what the table says', () => {
  const script = fileURLToPath(new URL('../../scripts/recording-docs.mjs', import.meta.url));
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
