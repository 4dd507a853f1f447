import { makeQuery } from '../../shared/engine/index.ts';
import { followsRange, loadPanel, panelTracks, readPanel } from '../../shared/panel/index.ts';
import { readParams, type ExtraTrack, type TimeRange, type TraceSummary } from '../../shared/view/index.ts';
import type { Host, TraceId } from '../host/api.ts';
import { namingFaults, readPanelFile } from './panel-files.ts';

/** The rows of panels as tracks, of those named and with the values that their params have by themselves. */
export async function tracksOfPanels(
  named: readonly string[],
  host: Pick<Host, 'query'>,
  id: TraceId,
  trace: TraceSummary,
  range: TimeRange,
): Promise<readonly ExtraTrack[]> {
  const query = makeQuery((sql) => host.query(id, sql));
  const scope = { trace, range, selection: { span: null, thread: null, pid: null } };
  const found: ExtraTrack[] = [];
  for (const path of named) {
    const file = await readPanelFile(path);
    await namingFaults(path, file, async () => {
      const panel = readPanel(file);
      const model = await loadPanel(query, panel, readParams(panel.params, {}, 'panel'), scope);
      const options = { followsRange: followsRange(panel), whole: trace.range, open: null };
      found.push(...panelTracks(model, options));
    });
  }
  return found;
}
