import type { PanelFile } from '../shared/panel/index.ts';
import dpcTimeByCpu from './dpc-time-by-cpu.panel.sql';
import eventPairs from './event-pairs.panel.sql';
import focusChanges from './focus-changes.panel.sql';
import imageLoads from './image-loads.panel.sql';
import longestReadyWait from './longest-ready-wait.panel.sql';
import readyTimeByRank from './ready-time-by-rank.panel.sql';
import readyTimeByReason from './ready-time-by-reason.panel.sql';
import readyWaitLengths from './ready-wait-lengths.panel.sql';
import sampledCalls from './sampled-calls.panel.sql';
import switchPairs from './switch-pairs.panel.sql';
import switchRate from './switch-rate.panel.sql';

/** The panels that come with Outrank. */
export const shippedPanels: readonly PanelFile[] = [
  { name: 'ready-time-by-rank.panel.sql', text: readyTimeByRank },
  { name: 'ready-time-by-reason.panel.sql', text: readyTimeByReason },
  { name: 'longest-ready-wait.panel.sql', text: longestReadyWait },
  { name: 'ready-wait-lengths.panel.sql', text: readyWaitLengths },
  { name: 'switch-pairs.panel.sql', text: switchPairs },
  { name: 'switch-rate.panel.sql', text: switchRate },
  { name: 'dpc-time-by-cpu.panel.sql', text: dpcTimeByCpu },
  { name: 'image-loads.panel.sql', text: imageLoads },
  { name: 'event-pairs.panel.sql', text: eventPairs },
  { name: 'sampled-calls.panel.sql', text: sampledCalls },
  { name: 'focus-changes.panel.sql', text: focusChanges },
];
