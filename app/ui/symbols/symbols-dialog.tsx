import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { formatBytes, formatCount, messageOf } from '../../../shared/model/index.ts';
import { coverage, NOTHING_TO_NAME } from '../../host/symbols/report.ts';
import type { SymbolDefaults, SymbolProgress, SymbolReport } from '../../host/symbols/report.ts';
import type { Session } from '../session.ts';
import { loadSymbols, symbolPath, symbolsAlways, symbolsShown, symbolState } from './load.ts';

const PUBLIC_SERVER = 'srv*https://msdl.microsoft.com/download/symbols';

/** Where symbols are looked for, and what was found. */
export function SymbolsDialog({ session }: { readonly session: Session }) {
  const [defaults, setDefaults] = useState<SymbolDefaults | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    session.door.host.symbolDefaults().then(setDefaults, (error: unknown) => {
      setRefusal(messageOf(error));
    });
  }, [session]);
  const close = () => (symbolsShown.value = false);
  const state = symbolState.value;
  const path = typed ?? symbolPath.value ?? defaults?.path ?? '';
  return (
    <Dialog kind="symbols-dialog" label="Symbols" close={close}>
      {refusal !== null && <p role="alert">{refusal}</p>}
      {session.door.takeSymbols !== undefined && <ChosenFiles session={session} />}
      {session.door.takeSymbols === undefined && (
        <>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void loadSymbols(session, path);
            }}
          >
            <input
              type="text"
              aria-label="Symbol path"
              maxLength={32_767}
              placeholder="C:\Symbols;srv*C:\Cache*https://server/symbols"
              value={path}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            {state.kind === 'loading' ? (
              <button type="button" onClick={state.cancel}>
                Cancel
              </button>
            ) : (
              <button type="submit" class="primary" disabled={path.trim() === '' || refusal !== null}>
                Load
              </button>
            )}
          </form>
          <p class="hint">
            A path as in <code>_NT_SYMBOL_PATH</code>. Only servers that it names are asked, for the names and
            GUIDs of PDBs of this trace
            {defaults === null
              ? ''
              : `; what they send is kept in ${defaults.cacheDir} unless the path says where`}
            .
          </p>
          <div class="symbols-choices">
            <button type="button" onClick={() => setTyped(PUBLIC_SERVER)}>
              Microsoft’s public server
            </button>
            <label>
              <input
                type="checkbox"
                checked={symbolsAlways.value}
                onChange={({ currentTarget }) => (symbolsAlways.value = currentTarget.checked)}
              />
              Load them for every trace that I open
            </label>
          </div>
        </>
      )}
      {state.kind === 'loading' && <Progress progress={state.progress} />}
      {state.kind === 'failed' && <p role="alert">{state.message}</p>}
      {state.kind === 'loaded' && <Report report={state.report} />}
    </Dialog>
  );
}

/** Lets the user choose PDBs, where the page reads them itself. */
function ChosenFiles({ session }: { readonly session: Session }) {
  const [none, setNone] = useState(false);
  const take = (list: FileList | null): void => {
    const count = session.door.takeSymbols?.([...(list ?? [])]) ?? 0;
    setNone(count === 0);
    if (count > 0) void loadSymbols(session, '');
  };
  return (
    <>
      <div class="symbols-choices">
        <label>
          PDB files{' '}
          <input
            type="file"
            multiple
            accept=".pdb"
            onChange={({ currentTarget }) => take(currentTarget.files)}
          />
        </label>
        <label>
          or a folder of them, such as a symbol store{' '}
          <input
            ref={(element) => element?.setAttribute('webkitdirectory', '')}
            type="file"
            onChange={({ currentTarget }) => take(currentTarget.files)}
          />
        </label>
        {symbolState.value.kind === 'loading' && (
          <button type="button" onClick={symbolState.value.cancel}>
            Cancel
          </button>
        )}
      </div>
      {none && <p role="alert">There is no .pdb among these files.</p>}
      <p class="hint">
        They are read in this page; no symbol server is asked, and nothing is sent. Of each image the PDB of
        the same build is taken.
      </p>
    </>
  );
}

function Progress({ progress }: { readonly progress: SymbolProgress | null }) {
  if (progress === null) return <p role="status">Looking for the images in stacks…</p>;
  const { done, total, download } = progress;
  return (
    <div role="status">
      <p>
        {done} of {total} images
        {download === null ? '' : `; ${formatBytes(download.bytes)} from ${download.url}`}
      </p>
      <progress max={Math.max(1, total)} value={done} aria-label="Images looked for" />
    </div>
  );
}

function Report({ report }: { readonly report: SymbolReport }) {
  const { samples, covered } = coverage(report);
  if (report.modules.length === 0) return <p role="status">{NOTHING_TO_NAME}</p>;
  return (
    <div class="symbols-report">
      <p role="status">
        {covered === null
          ? `${report.modules.length} images in stacks.`
          : `${(100 * covered).toFixed(1)} % of ${formatCount(samples)} samples are in images with symbols.`}
      </p>
      <table>
        <thead>
          <tr>
            <th>Image</th>
            <th class="number">Samples</th>
            <th class="number">Addresses named</th>
            <th>PDB</th>
          </tr>
        </thead>
        <tbody>
          {report.modules.map(({ path, pdb, samples: count, addresses, named, found, reasons }) => (
            <tr key={`${path} ${pdb ?? ''}`}>
              <td title={path}>{path.split('\\').at(-1)}</td>
              <td class="number">{formatCount(count)}</td>
              <td class="number">
                {formatCount(named)} of {formatCount(addresses)}
              </td>
              <td>
                {found ?? (
                  <details>
                    <summary>{pdb === null ? 'not known' : `no ${pdb}`}</summary>
                    <ul>
                      {reasons.map((reason) => (
                        <li key={reason}>{reason}</li>
                      ))}
                    </ul>
                  </details>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
