import { messageOf } from '../../shared/model/index.ts';

/** Puts a text on the clipboard. Rejects where the page may not: by its permissions, or because it came over plain http. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    throw new Error('the clipboard is closed to this page', { cause: error });
  }
}

/** Copies a text when a button is pressed, and says on the button how that went. */
export async function copyByButton(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await copyText(text);
    button.textContent = 'Copied';
  } catch (error) {
    button.textContent = `Not copied: ${messageOf(error)}`;
  }
}
