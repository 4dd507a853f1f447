import fs from 'node:fs';
import type { Files, OpenFile, OpenMode } from './files.ts';

/** The files of the system that Node runs on. */
export const nodeFiles: Files = {
  open: (path, mode) => openFile(fs.openSync(systemPath(path), flags(mode))),
  info(path) {
    const stats = fs.statSync(systemPath(path));
    return { isFolder: stats.isDirectory(), sizeBytes: stats.size };
  },
  list: (path) =>
    fs
      .readdirSync(systemPath(path), { withFileTypes: true })
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() })),
  linkTarget: (path) => fs.readlinkSync(systemPath(path)),
  remove: (path) => fs.unlinkSync(systemPath(path)),
  rename: (from, to) => fs.renameSync(systemPath(from), systemPath(to)),
  makeFolder(path) {
    fs.mkdirSync(systemPath(path));
  },
};

/**
 * What the system calls an absolute path with slashes. On Windows a program takes a path with a drive for a relative one, and
 * puts the folder that it is in before it; one without a drive is on another machine.
 */
export function systemPath(path: string, platform: string = process.platform): string {
  if (platform !== 'win32') return path;
  const drive = /^.*\/(?=[A-Za-z]:(\/|$))/;
  return drive.test(path) ? path.replace(drive, '') : path.replace(/^\/*/, '//');
}

function flags({ reads, writes, creates, isNew, empties }: OpenMode): number {
  const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC } = fs.constants;
  const access = !writes ? O_RDONLY : reads ? O_RDWR : O_WRONLY;
  return access | (creates ? O_CREAT : 0) | (isNew ? O_EXCL : 0) | (empties ? O_TRUNC : 0);
}

function openFile(descriptor: number): OpenFile {
  return {
    sizeBytes: () => fs.fstatSync(descriptor).size,
    read(into, at) {
      let done = 0;
      for (;;) {
        const got = fs.readSync(descriptor, into, done, into.length - done, at + done);
        done += got;
        if (got === 0 || done === into.length) return done;
      }
    },
    write(from, at) {
      for (let done = 0; done < from.length;)
        done += fs.writeSync(descriptor, from, done, from.length - done, at + done);
    },
    close: () => fs.closeSync(descriptor),
  };
}
