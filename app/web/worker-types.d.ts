/** What workers have and TypeScript's library of pages does not. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(): Promise<import('./byte-store.ts').SyncFile>;
}
