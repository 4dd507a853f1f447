/** Folders of kept traces that pages of this origin read or write: none of them may be removed meanwhile, by whatever page. */

const lockOf = (folder: string): string => `outrank.trace.${folder}`;

/** Holds a folder until what is returned is called, or the page is gone. */
export async function holdFolder(folder: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await new Promise<void>((granted, refused) => {
    navigator.locks
      .request(lockOf(folder), { mode: 'shared' }, () => {
        granted();
        return held;
      })
      .catch(refused);
  });
  return release;
}

/** Removes a folder that no page holds. */
export async function removeIfFree(parent: FileSystemDirectoryHandle, folder: string): Promise<void> {
  await navigator.locks.request(lockOf(folder), { ifAvailable: true }, async (lock) => {
    if (lock !== null) await parent.removeEntry(folder, { recursive: true }).catch(() => undefined);
  });
}
