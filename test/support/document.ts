import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.ts';

/** What a document promises: the commands of its shell blocks, and the output that it quotes. */
export interface Document {
  /** Its first heading. */
  readonly title: string;
  /** In words, as a shell splits them, without comments; those joined by `&&` apart. */
  readonly commands: readonly (readonly string[])[];
  /** Its block quotes, each in one line. */
  readonly quotes: readonly string[];
}

/** Reads a document by its path within the checkout. */
export function readDocument(path: string): Document {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  const quotes = [...text.matchAll(/(?:^>.*\n)+/gm)].flatMap(([quote]) =>
    quote.replaceAll(/^> ?/gm, '').split('\n\n').map(inOneLine),
  );
  const title = /^# (.*)$/m.exec(text)?.[1] ?? '';
  return { title, commands: blocks.flatMap(commandsOf), quotes };
}

/** Where a document's links and pictures lead within the checkout, from its own folder. */
export function linksOf(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/^```.*?^```/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, source = '']) => link ?? source,
  );
  return links.filter((link) => !/^(?:[a-z]+:|#)/.test(link)).map((link) => link.replace(/#.*$/, ''));
}

/** A text with every run of white space as one space. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Quotes may go over lines; an unquoted `#` begins a comment. */
function commandsOf(block: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token, quoted, plain] of block.matchAll(/"([^"]*)"|#.*|&&|\n|([^\s"]+)/g)) {
    const word = quoted ?? plain;
    if (token === '\n' || token === '&&') commands.push([]);
    else if (!token.startsWith('#') && word !== undefined) commands.at(-1)?.push(word);
  }
  return commands.filter(({ length }) => length > 0);
}
