import { useEffect, useRef, useState } from 'preact/hooks';
import { readLakeAddress } from '../../../shared/link/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import type { RemoteLakes } from '../../host/api.ts';
import { Dialog } from '../dialog.tsx';
import { mayAsk, ServerFields } from '../link/server-fields.tsx';
import { asUser, tokenOf } from '../link/servers.ts';
import { connectLake, wantedLake } from './connected.ts';

/** Asks which lake is to be asked, and as whom; nothing where none is wanted. */
export function LakeDialog({ lakes }: { readonly lakes: RemoteLakes }) {
  const address = wantedLake.value;
  return address === null ? null : <Asking key={address} lakes={lakes} given={address} />;
}

function Asking({ lakes, given }: { readonly lakes: RemoteLakes; readonly given: string }) {
  const [address, setAddress] = useState(given);
  const [token, setToken] = useState(() => tokenIn(given));
  const [agreed, setAgreed] = useState(false);
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const running = useRef(new AbortController());
  const origin = readLakeAddress(address)?.origin ?? null;
  const close = () => (wantedLake.value = null);
  const connect = () => {
    if (origin === null || !mayAsk({ origin, agreed })) return;
    const { signal } = (running.current = new AbortController());
    setBusy(true);
    setMessage('');
    connectLake(lakes, asUser(origin, token, agreed), signal)
      .then(close, (error: unknown) => {
        if (!signal.aborted) setMessage(messageOf(error));
      })
      .finally(() => setBusy(false));
  };
  useEffect(() => {
    // `outrank lake show --window` says all that there is to say.
    if (readLakeAddress(given)?.token) connect();
    return () => running.current.abort();
  }, []);
  return (
    <Dialog kind="link-dialog" label="Ask a lake" close={close}>
      <p class="hint">
        The address of a team server, or what <code>outrank lake show LAKE --no-open</code> prints.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          connect();
        }}
      >
        <input
          type="text"
          class="lake-address"
          autofocus
          aria-label="Address"
          spellcheck={false}
          placeholder="https://traces.example.com/lake"
          value={address}
          onInput={({ currentTarget: { value } }) => {
            setAddress(value);
            setToken(tokenIn(value));
            setAgreed(false);
          }}
        />
        <ServerFields
          origin={origin}
          token={token}
          setToken={setToken}
          agreed={agreed}
          setAgreed={setAgreed}
        />
        <button type="submit" class="primary" disabled={busy || !mayAsk({ origin, agreed })}>
          {busy ? 'Asking…' : 'Ask'}
        </button>
      </form>
      {message !== '' && (
        <p class="lake-error" role="alert">
          {message}
        </p>
      )}
    </Dialog>
  );
}

/** The token that an address holds, or else the one that was given for its server. */
function tokenIn(address: string): string {
  const read = readLakeAddress(address);
  if (read === null) return '';
  return read.token === '' ? tokenOf(read.origin) : read.token;
}
