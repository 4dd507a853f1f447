import type { ParamSpecs, View } from '../shared/view/index.ts';
import { blame } from './blame/view.ts';
import { blockedTime } from './blocked-time/view.ts';
import { contextSwitches } from './context-switches/view.ts';
import { cpuSampled } from './cpu-sampled/view.ts';
import { cpuUsage } from './cpu-usage/view.ts';
import { episodes } from './episodes/view.ts';
import { explain } from './explain/view.ts';
import { focusAndInput } from './focus-and-input/view.ts';
import { frozenProcesses } from './frozen-processes/view.ts';
import { genericEvents } from './generic-events/view.ts';
import { io } from './io/view.ts';
import { overview } from './overview/view.ts';
import { processes } from './processes/view.ts';
import { rankHistory } from './rank-history/view.ts';
import { readyLatency } from './ready-latency/view.ts';
import { releaseMoments } from './release-moments/view.ts';
import { runaway } from './runaway/view.ts';
import { system } from './system/view.ts';
import { timeline } from './timeline/view.ts';
import { threads } from './threads/view.ts';
import { userLocks } from './user-locks/view.ts';
import { wakeChain } from './wake-chain/view.ts';
import { whatIf } from './what-if/view.ts';

/** A view whatever its params and model. */
export type AnyView = View<ParamSpecs, unknown>;

/** All views, in the order in which the app lists them. The first is what a trace opens on. */
export const views: readonly AnyView[] = [
  overview,
  readyLatency,
  timeline,
  wakeChain,
  explain,
  whatIf,
  episodes,
  blockedTime,
  blame,
  releaseMoments,
  cpuUsage,
  cpuSampled,
  runaway,
  contextSwitches,
  rankHistory,
  frozenProcesses,
  focusAndInput,
  userLocks,
  processes,
  threads,
  io,
  genericEvents,
  system,
];
