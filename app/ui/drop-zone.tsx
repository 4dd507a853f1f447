import { useEffect, useState } from 'preact/hooks';
import type { Session } from './session.ts';
import { listAddress, phase } from './state.ts';

/** Takes files that are dropped anywhere on the page. */
export function DropZone({ session }: { readonly session: Session }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const bound = new AbortController();
    const options = { signal: bound.signal };
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    addEventListener(
      'dragover',
      (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      options,
    );
    addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) setOver(false);
      },
      options,
    );
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        setOver(false);
        if (listAddress.peek() !== null) return;
        const files = [...(event.dataTransfer?.files ?? [])];
        const now = phase.peek();
        if (now.kind === 'wanted') void session.openFor(now.link, files);
        else if (files[0] !== undefined) void session.openFile(files[0]);
      },
      options,
    );
    return () => bound.abort();
  }, [session]);
  return over ? (
    <div class="drop-zone">
      <p>
        {listAddress.value === null
          ? 'Drop to open'
          : 'This page shows one trace. Upload others in the list of traces'}
      </p>
    </div>
  ) : null;
}
