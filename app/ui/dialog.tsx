import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  /** Its own class, in addition to the class of all dialogs. */
  readonly kind: string;
  /** What it is called. */
  readonly label: string;
  /** Its heading, where that says more than the label. */
  readonly heading?: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A dialog above the page while it is mounted; its button and Escape close it. */
export function Dialog({ kind, label, heading = label, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={`dialog ${kind}`} aria-label={label} onClose={close}>
      <header class="section-heading">
        <h2>{heading}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}
