import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { faultText, PANEL_ENDING, panelFault, type PanelFile } from '../../shared/panel/index.ts';
import { shippedPanels } from '../../panels/index.ts';
import { UserFilesOnDisk } from '../host/user-files.ts';
import { configDir } from '../host/user-rules.ts';
import { UsageError } from './command.ts';
import { systemWords } from '../host/system-words.ts';

/** The panels that have a name: those in the user's folder, and the shipped ones that none of them stands for. */
export async function namedPanels(): Promise<readonly PanelFile[]> {
  const { files } = await new UserFilesOnDisk(configDir()).list(null, null);
  const own = files.filter(({ name }) => name.endsWith(PANEL_ENDING));
  return [
    ...own.map(({ name, text }) => ({ name, text })),
    ...shippedPanels.filter(({ name }) => !own.some((each) => each.name === name)),
  ];
}

/** Whether `--file` names a panel: a file that ends as one, or the name of one where no file is called so. */
export async function isPanel(named: string): Promise<boolean> {
  if (named.endsWith(PANEL_ENDING)) return true;
  const isFile = await readFile(named).then(
    () => true,
    () => false,
  );
  return !isFile && (await findNamed(named)) !== undefined;
}

/** Reads the panel of a name, or else a file. Throws a {@link UsageError} if it is neither. */
export async function readPanelFile(named: string): Promise<PanelFile> {
  const found = await findNamed(named);
  if (found !== undefined) return found;
  const text = await readFile(named, 'utf8').catch(async (error: unknown) => {
    const message = systemWords(error);
    if (named.endsWith(PANEL_ENDING)) throw new UsageError(message);
    const names = (await namedPanels()).map(({ name }) => name.slice(0, -PANEL_ENDING.length));
    throw new UsageError(
      `no panel is called "${named}": there are ${names.join(', ')}; a file is *${PANEL_ENDING}`,
    );
  });
  return { name: basename(named), text };
}

async function findNamed(named: string): Promise<PanelFile | undefined> {
  return (await namedPanels()).find(({ name }) => name === `${named}${PANEL_ENDING}`);
}

/** Tells faults of a panel with its file and line. */
export async function namingFaults(path: string, file: PanelFile, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = panelFault(error, file.text);
    throw fault === null ? error : new UsageError(faultText(path, fault));
  }
}
