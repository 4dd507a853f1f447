import type { Header } from '../sql-file/index.ts';

/** What a click on a row does. */
export type Click =
  /** Chooses the row's time, and zooms to it. */
  | { readonly does: 'time' }
  /** Chooses the thread `utid`, or the process `upid`, of the row; and its time. */
  | { readonly does: 'thread' | 'process' }
  /** Opens a view or another panel with values of the row. */
  | {
      readonly does: 'view' | 'panel';
      readonly id: string;
      readonly params: readonly (readonly [string, string])[];
    };

const CLICK = /^(time|thread|process|view|panel)(?: ([a-z0-9-]+)((?: [a-z0-9_]+=\S+)*))?$/;

/** Reads the `@click` of a panel; null where a click does what the columns offer: see {@link defaultClick}. */
export function readClick(header: Header): Click | null {
  const entry = header.optional('click');
  if (entry === null) return null;
  const [, does, id, rest = ''] = CLICK.exec(entry.value) ?? [];
  if ((does === 'time' || does === 'thread' || does === 'process') && id === undefined) return { does };
  if ((does !== 'view' && does !== 'panel') || id === undefined)
    throw header.refusal(
      entry,
      'takes time, thread, process, or "view ID name={column} …", or "panel ID name={column} …"',
    );
  const params = rest
    .split(' ')
    .filter((param) => param !== '')
    .map((param): readonly [string, string] => {
      const at = param.indexOf('=');
      return [param.slice(0, at), param.slice(at + 1)];
    });
  return { does, id, params };
}

/** What a click does in a panel that does not say so: what its columns lead to; null for nothing. */
export function defaultClick(columns: readonly string[]): Click | null {
  if (columns.includes('utid')) return { does: 'thread' };
  if (columns.includes('upid')) return { does: 'process' };
  return columns.includes('ts') ? { does: 'time' } : null;
}
