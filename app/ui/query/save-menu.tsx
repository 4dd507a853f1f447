import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResultCells } from '../result-table/result-table.ts';
import { Turns } from '../result-table/order.ts';
import { download, saveRows, type SavedFormat } from './save.ts';

const FORMATS = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['parquet', 'Parquet'],
] as const;

interface SaveMenuProps {
  readonly result: ResultCells;
  /** The rows that are shown, in their order; null for all. */
  readonly order: () => Uint32Array | null;
}

/** Saves the rows that are shown, in their order. */
export function SaveMenu({ result, order }: SaveMenuProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const save = (format: SavedFormat) => () => {
    setBusy(true);
    setFailure(null);
    saveRows(format, result, order(), new Turns(abort.current.signal))
      .then((blob) => download(`query.${format}`, blob))
      .catch((error: unknown) => {
        // A file that is given up with its table is no longer wanted.
        if (!abort.current.signal.aborted) setFailure(`The file was not written: ${String(error)}`);
      })
      .finally(() => setBusy(false));
  };
  return (
    <>
      {failure !== null && <span role="alert">{failure}</span>}
      {busy && <span class="hint">writing the file…</span>}
      {FORMATS.map(([format, title]) => (
        <button key={format} type="button" disabled={busy} onClick={save(format)}>
          Save {title}
        </button>
      ))}
    </>
  );
}
