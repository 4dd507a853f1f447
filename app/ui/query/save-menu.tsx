import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResultCells } from '../result-table/result-table.ts';
import { Turns } from '../result-table/order.ts';
import { download, saveRows } from './save.ts';

interface SaveMenuProps {
  readonly result: ResultCells;
  /** The rows that are shown, in their order; null for all. */
  readonly order: () => Uint32Array | null;
}

/** Saves the rows that are shown, in their order. */
export function SaveMenu({ result, order }: SaveMenuProps) {
  const [busy, setBusy] = useState(false);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const save = (format: 'csv' | 'json') => () => {
    setBusy(true);
    saveRows(format, result, order(), new Turns(abort.current.signal))
      .then((blob) => download(`query.${format}`, blob))
      // Nobody waits any more for a file that is given up with its table.
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  return (
    <>
      {busy && <span class="hint">writing the file…</span>}
      <button type="button" disabled={busy} onClick={save('csv')}>
        Save CSV
      </button>
      <button type="button" disabled={busy} onClick={save('json')}>
        Save JSON
      </button>
    </>
  );
}
