import { useState } from 'preact/hooks';
import { readAddress } from '../../../shared/link/index.ts';
import type { TeamServer } from '../../host/api.ts';
import { mayAsk, ServerFields } from '../link/server-fields.tsx';
import { asUser, tokenOf } from '../link/servers.ts';

/** Where a trace goes that is given away. */
export type Destination =
  | { readonly kind: 'file' }
  | { readonly kind: 'bundle' }
  | { readonly kind: 'server'; readonly server: TeamServer };

const KINDS = [
  ['file', 'A trace file'],
  ['bundle', 'A bundle: the trace, and the place that is shown, in one file for mail'],
  ['server', 'A team server: all who have a token of it can see and download the trace'],
] as const;

/** Under which the address of the server that was used last is kept. */
const KEPT = 'team-server';

interface DestinationChoiceProps {
  /** Whether the recording itself is given away: a file of it is there already. */
  readonly isAsItIs: boolean;
  readonly chosen: Destination | null;
  /** Null while it is not said whole. */
  readonly choose: (destination: Destination | null) => void;
}

/** What becomes of what is given away: a file, a bundle, or a trace on a team server. */
export function DestinationChoice({ isAsItIs, chosen, choose }: DestinationChoiceProps) {
  const [kind, setKind] = useState<Destination['kind']>(chosen?.kind ?? 'file');
  const [address, setAddress] = useState(localStorage.getItem(KEPT) ?? '');
  const [agreed, setAgreed] = useState(false);
  const origin = readAddress(address.trim())?.origin ?? null;
  const [token, setToken] = useState(origin === null ? '' : tokenOf(origin));
  const tell = (now: Destination['kind'], given: string, as: string, isAgreed: boolean) => {
    const server = readAddress(given.trim())?.origin ?? null;
    if (now !== 'server') choose({ kind: now });
    else if (server === null || !mayAsk({ origin: server, agreed: isAgreed })) choose(null);
    else {
      localStorage.setItem(KEPT, server);
      choose({ kind: 'server', server: asUser(server, as, isAgreed) });
    }
  };
  return (
    <fieldset class="export-choice">
      <legend>As</legend>
      {KINDS.map(([each, title]) => (
        <label key={each}>
          <input
            type="radio"
            name="destination"
            disabled={each === 'file' && isAsItIs}
            checked={kind === each}
            onChange={() => {
              setKind(each);
              tell(each, address, token, agreed);
            }}
          />{' '}
          {title}
        </label>
      ))}
      {kind === 'server' && (
        <div class="export-server">
          <label>
            Server{' '}
            <input
              type="url"
              placeholder="https://traces.example.com"
              value={address}
              onInput={({ currentTarget }) => {
                setAddress(currentTarget.value);
                setAgreed(false);
                tell(kind, currentTarget.value, token, false);
              }}
            />
          </label>
          <ServerFields
            origin={origin}
            token={token}
            setToken={(given) => {
              setToken(given);
              tell(kind, address, given, agreed);
            }}
            agreed={agreed}
            setAgreed={(isAgreed) => {
              setAgreed(isAgreed);
              tell(kind, address, token, isAgreed);
            }}
          />
        </div>
      )}
    </fieldset>
  );
}
