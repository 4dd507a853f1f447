const GUID = /\{?\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b\}?/gi;
/** Paths below a folder for temporary files, up to a blank or a quotation mark. */
const TEMPORARY = /[^\s"']*[\\/](?:temp|tmp)[\\/][^\s"']*/gi;
/** Hexadecimal numbers, with `0x` or of six digits and more among which a digit stands. */
const HEX = /\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{6,}\b/gi;
const NUMBER = /\d+/g;

/** A command line without what changes from run to run: GUIDs, temporary paths and numbers. */
export function foldCommandLine(text: string): string {
  return text
    .replace(GUID, '{GUID}')
    .replace(TEMPORARY, 'TEMP')
    .replace(HEX, '#')
    .replace(NUMBER, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
