import { copyByButton } from '../kit/index.ts';

/** Copies what is chosen, by a button or by a key. */
export interface CopyButton {
  /** Copies, and says on the button how that went. */
  copy(): void;
  /** Asks anew whether there is something to copy. */
  update(): void;
  /** Takes the button away. */
  readonly end: () => void;
}

/** Appends a button to the heading of the panel that `panel` is, or lies in, which copies what `text` gives; while that is null, it cannot be pressed. */
export function addCopyButton(
  panel: HTMLElement,
  {
    label,
    title,
    text,
  }: { readonly label: string; readonly title: string; readonly text: () => string | null },
): CopyButton {
  const button = panel.ownerDocument.createElement('button');
  button.type = 'button';
  button.title = title;
  const update = () => {
    button.textContent = label;
    button.disabled = text() === null;
  };
  const copy = () => {
    const copied = text();
    if (copied !== null) void copyByButton(button, copied);
  };
  button.addEventListener('click', copy);
  (panel.closest('.panel') ?? panel).querySelector('header')?.append(button);
  update();
  return { copy, update, end: () => button.remove() };
}
