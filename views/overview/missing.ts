import type { Row } from '../../shared/engine/index.ts';
import type { Missing } from './model.ts';

/** What would be known from events of a kind, and what records them; by the column of `facts.sql` that says whether there are any. */
const KINDS: readonly (Missing & { readonly column: string })[] = [
  {
    column: 'has_switches',
    what: 'Context switches: what ran when, on which CPU',
    record: 'kernel flag CSWITCH (WPR: CPU)',
  },
  {
    column: 'has_reasons',
    what: 'Why threads stopped running: their states, wait reasons and ranks',
    record: 'kernel flag CSWITCH without COMPACT_CSWITCH',
  },
  {
    column: 'has_ready_threads',
    what: 'Ready threads: since when a thread could have run, and who readied it',
    record: 'kernel flag DISPATCHER (WPR: keyword ReadyThread)',
  },
  {
    column: 'has_samples',
    what: 'Profile samples: which code ran',
    record: 'kernel flag PROFILE, with stacks (WPR: CPU)',
  },
  {
    column: 'has_disk',
    what: 'Transfers of disks: what was read and written, and how long it took',
    record: 'kernel flags DISK_IO and DISK_IO_INIT (WPR: DiskIO)',
  },
  {
    column: 'has_files',
    what: 'Operations on files: which file, and by whom',
    record: 'kernel flags FILE_IO and FILE_IO_INIT (WPR: FileIO)',
  },
  {
    column: 'has_focus',
    what: 'Focus: whose window the user looked at',
    record: 'provider Microsoft-Windows-Win32k, keyword 0x2000',
  },
  {
    column: 'has_input',
    what: 'Input: keys and mouse buttons',
    record: 'UIforETW, input tracing on',
  },
  {
    column: 'has_freezes',
    what: 'Freezes: processes that Windows lets not run (or there were none)',
    record: 'provider Microsoft-Windows-Kernel-Process, keyword 0x200',
  },
];

/** What the trace does not tell, and what would record it. */
export function missingKinds(facts: Row): readonly Missing[] {
  return KINDS.filter(({ column }) => facts[column] !== 1).map(({ what, record }) => ({ what, record }));
}
