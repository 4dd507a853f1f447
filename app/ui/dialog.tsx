import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

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
  const dialog = useModal();
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

/** Shows a dialog above the page while it is mounted. Then the focus goes back to where it was. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // Its end comes while the dialog is in the page still: one that is only taken out of the page takes the focus with it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return dialog;
}
