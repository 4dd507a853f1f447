import type { Query } from '../../shared/engine/index.ts';
import { OpenError, type SymbolCall } from '../host/api.ts';
import { putSymbols } from '../host/symbols/put.ts';
import type { SymbolReport } from '../host/symbols/report.ts';
import { readAnswer, requestLine, type Answer, type Symbolize } from '../host/symbols/talk.ts';
import type { GivenFile } from './job.ts';
import { readSymbols } from './workers.ts';

/** Where the PDBs are that the user chose: each in a folder of its own, since several builds have the same name. */
const PDBS = '/pdbs';

/** The PDBs that the user chose for this page. */
export class PageSymbols {
  /** By the path in which the reader finds them. */
  #files: readonly (GivenFile & {
    readonly folder: string;
    readonly name: string;
    readonly shown: string;
  })[] = [];

  /** Takes PDBs in the place of those before; others are left out. Answers how many there are. */
  take(files: readonly File[]): number {
    this.#files = files
      .filter(({ name }) => /\.pdb$/i.test(name))
      .map((blob, at) => ({
        ...{
          blob,
          name: blob.name.toLowerCase(),
          folder: `${PDBS}/${at}`,
          path: `${PDBS}/${at}/${blob.name}`,
        },
        shown: blob.webkitRelativePath === '' ? blob.name : blob.webkitRelativePath,
      }));
    return this.#files.length;
  }

  /** Names the functions of the images in stacks whose PDBs were chosen. */
  async load(query: Query, { signal, onProgress }: SymbolCall): Promise<SymbolReport> {
    if (this.#files.length === 0) throw new OpenError('symbols', 'no PDB is chosen');
    return putSymbols(query, this.#symbolize(signal), { signal, onProgress });
  }

  #symbolize(signal: AbortSignal | undefined): Symbolize {
    const all = this.#files;
    return async function* (modules) {
      const answers: Answer[] = [];
      const files: GivenFile[] = [];
      const requests = modules.flatMap((module, at) => {
        const name = (module.pdb ?? '').split(/[\\/]/).at(-1) ?? '';
        const chosen = all.filter((file) => file.name === name.toLowerCase());
        if (chosen.length === 0)
          answers.push({ module: at, missing: [`no ${name} is among the chosen files`] });
        // The reader knows the PDB by the name that the image has for it.
        files.push(...chosen.map(({ folder, blob }) => ({ path: `${folder}/${name}`, blob })));
        return chosen.length === 0
          ? []
          : [{ line: requestLine(module, at), folders: chosen.map(({ folder }) => folder) }];
      });
      const shown = (text: string): string =>
        all.reduce(
          (told, file) => told.replaceAll(new RegExp(`${file.folder}/[^/:]+`, 'g'), () => file.shown),
          text,
        );
      await readSymbols({ files, requests }, signal, (line) => {
        const answer = readAnswer(line);
        if ('found' in answer) answers.push({ ...answer, found: shown(answer.found) });
        else if ('missing' in answer) answers.push({ ...answer, missing: answer.missing.map(shown) });
        else answers.push(answer);
      });
      yield* answers;
    };
  }
}
