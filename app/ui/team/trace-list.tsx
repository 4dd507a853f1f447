import { formatBytes } from '../../../shared/model/index.ts';
import type { ListedTrace } from './server.ts';

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The traces as a table, each a link. */
export function TraceList({
  traces,
  onDelete,
}: {
  readonly traces: readonly ListedTrace[];
  readonly onDelete: (trace: ListedTrace) => void;
}) {
  return (
    <table class="team-traces">
      <thead>
        <tr>
          <th>Trace</th>
          <th class="number">Size</th>
          <th>Uploaded</th>
          <th>By</th>
          <th>Kept until</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {traces.map((trace) => (
          <tr key={trace.id}>
            <td>
              <a href={trace.url}>{trace.name}</a>
              <span class="team-id" title={`SHA-256 ${trace.id}`}>
                {trace.id.slice(0, 12)}
              </span>
            </td>
            <td class="number">{formatBytes(trace.sizeBytes)}</td>
            <td>{date.format(trace.uploadedAtMs)}</td>
            <td>{trace.by}</td>
            <td>{trace.expiresAtMs === null ? 'deleted' : day.format(trace.expiresAtMs)}</td>
            <td class="team-actions">
              <a href={`/api/traces/${trace.id}/file`} download={trace.name}>
                Download
              </a>
              {trace.deletable && (
                <button class="plain" onClick={() => onDelete(trace)}>
                  Delete
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
