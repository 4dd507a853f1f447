import blameAboveBound from './rules/blame-above-bound.sql';
import bimodalWaits from './rules/bimodal-waits.sql';
import driverStall from './rules/driver-stall.sql';
import freezeInFocus from './rules/freeze-in-focus.sql';
import growingCost from './rules/growing-cost.sql';
import hotLoop from './rules/hot-loop.sql';
import kernelShare from './rules/kernel-share.sql';
import longReadyWait from './rules/long-ready-wait.sql';
import longInterrupt from './rules/long-interrupt.sql';
import lostEvents from './rules/lost-events.sql';
import migration from './rules/migration.sql';
import preemption from './rules/preemption.sql';
import rankStarvation from './rules/rank-starvation.sql';
import releaseMoment from './rules/release-moment.sql';
import serialisedExits from './rules/serialised-exits.sql';
import slowDisk from './rules/slow-disk.sql';
import switchStorm from './rules/switch-storm.sql';
import userLockContention from './rules/user-lock-contention.sql';
import type { RuleFile } from './rule.ts';

/** The rules that come with Outrank. */
export const shippedRules: readonly RuleFile[] = [
  { name: 'rank-starvation.sql', text: rankStarvation },
  { name: 'long-ready-wait.sql', text: longReadyWait },
  { name: 'release-moment.sql', text: releaseMoment },
  { name: 'freeze-in-focus.sql', text: freezeInFocus },
  { name: 'user-lock-contention.sql', text: userLockContention },
  { name: 'switch-storm.sql', text: switchStorm },
  { name: 'serialised-exits.sql', text: serialisedExits },
  { name: 'growing-cost.sql', text: growingCost },
  { name: 'long-interrupt.sql', text: longInterrupt },
  { name: 'hot-loop.sql', text: hotLoop },
  { name: 'kernel-share.sql', text: kernelShare },
  { name: 'driver-stall.sql', text: driverStall },
  { name: 'slow-disk.sql', text: slowDisk },
  { name: 'preemption.sql', text: preemption },
  { name: 'migration.sql', text: migration },
  { name: 'bimodal-waits.sql', text: bimodalWaits },
  { name: 'blame-above-bound.sql', text: blameAboveBound },
  { name: 'lost-events.sql', text: lostEvents },
];
