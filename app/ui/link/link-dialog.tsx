import { Facts } from '../facts.tsx';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { describeState } from '../../../shared/link/index.ts';
import type { Session } from '../session.ts';
import { copyLink, linkHere, stateHere } from './copy-link.ts';
import { messageOf } from '../../../shared/model/index.ts';

export const linkDialogShown = signal(false);

/** Names the link to the place that is shown, and shows all that it gives away. */
export function LinkDialog({ session }: { readonly session: Session }) {
  const [title, setTitle] = useState('');
  const [link, setLink] = useState('');
  const state = stateHere(title);
  useEffect(() => {
    if (state !== null) linkHere(session, state).then(setLink, (error: unknown) => setLink(messageOf(error)));
  }, [title]);
  if (state === null) return null;
  const close = () => (linkDialogShown.value = false);
  return (
    <Dialog kind="link-dialog" label="Link to this place" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void copyLink(session, title).then(close);
        }}
      >
        <label>
          Name{' '}
          <input
            type="text"
            autofocus
            maxLength={120}
            placeholder="What is to be seen there"
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Copy
        </button>
      </form>
      <textarea
        readOnly
        rows={3}
        aria-label="The link"
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p class="hint">
        This is all that the link says; the trace itself is not in it. Who opens it needs the same file.
      </p>
      <Facts class="link-contents" facts={describeState(state)} />
    </Dialog>
  );
}
