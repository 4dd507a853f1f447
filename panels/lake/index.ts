import type { PanelFile } from '../../shared/panel/index.ts';
import leftOut from './left-out.panel.sql';
import machinesByFinding from './machines-by-finding.panel.sql';
import modelOutliers from './model-outliers.panel.sql';
import slowNotFast from './slow-not-fast.panel.sql';
import tracesLikeThis from './traces-like-this.panel.sql';
import trendByBuild from './trend-by-build.panel.sql';

/** The questions to a lake that come with Outrank: DuckDB and Spark run the same text. */
export const lakePanels: readonly PanelFile[] = [
  { name: 'trend-by-build.panel.sql', text: trendByBuild },
  { name: 'machines-by-finding.panel.sql', text: machinesByFinding },
  { name: 'model-outliers.panel.sql', text: modelOutliers },
  { name: 'traces-like-this.panel.sql', text: tracesLikeThis },
  { name: 'slow-not-fast.panel.sql', text: slowNotFast },
  { name: 'left-out.panel.sql', text: leftOut },
];
