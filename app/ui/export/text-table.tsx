import { formatCount } from '../../../shared/model/index.ts';
import type { ExportReport, TextAction, TextKind } from '../../host/export-request.ts';

const TITLES: Readonly<Record<TextKind, string>> = {
  names: 'Names of processes, threads, services',
  'command-lines': 'Command lines',
  users: 'Users and their SIDs',
  paths: 'Paths of files, images, registry keys',
  titles: 'Window titles and classes',
  keys: 'Keys that were pressed',
  hosts: 'Hosts and addresses',
  providers: 'Providers that are not of Windows',
  fields: 'Other texts in events',
};
const ACTIONS: readonly (readonly [action: TextAction, title: string])[] = [
  ['remove', 'remove'],
  ['pseudonym', 'pseudonym'],
  ['keep', 'keep'],
];

interface TextTableProps {
  readonly report: ExportReport;
  /** Null where nothing is taken out, whatever it is. */
  readonly choose: ((kind: TextKind, action: TextAction) => void) | null;
}

/** The kinds of texts: how many were found, for example which, what is done with them, and how many stay readable. */
export function TextTable({ report, choose }: TextTableProps) {
  return (
    <table class="export-texts">
      <thead>
        <tr>
          <th scope="col">What can tell about you</th>
          <th scope="col" class="number">
            Found
          </th>
          <th scope="col">What is done</th>
          <th scope="col" class="number" title="Written as it is: known to be harmless, or kept">
            Stays
          </th>
        </tr>
      </thead>
      <tbody>
        {report.kinds.map(({ kind, action, found, distinct, harmless, kept, examples }) => (
          <tr key={kind} class={kept > 0 ? 'kept' : ''}>
            <th scope="row">
              {TITLES[kind]}
              {examples.length > 0 && (
                <span class="hint examples" title={examples.join('\n')}>
                  {examples.join(', ')}
                </span>
              )}
            </th>
            <td class="number">
              {formatCount(found)}
              {found > 0 && <span class="hint"> {formatCount(distinct)} different</span>}
            </td>
            <td>
              {choose === null ? (
                'stays as it is'
              ) : (
                <select
                  aria-label={`${TITLES[kind]}: what is done`}
                  value={action}
                  onChange={({ currentTarget }) => {
                    const chosen = ACTIONS.find(([each]) => each === currentTarget.value);
                    if (chosen !== undefined) choose(kind, chosen[0]);
                  }}
                >
                  {ACTIONS.map(([each, title]) => (
                    <option key={each} value={each}>
                      {title}
                    </option>
                  ))}
                </select>
              )}
            </td>
            <td class="number">{formatCount(choose === null ? found : harmless + kept)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
