/**
 * A word as the shell of a system takes it, in commands that are shown to be copied: `sh`, and on Windows both `cmd` and PowerShell, which
 * share double quotes alone. There `%NAME%` and `$NAME` in a word are still replaced, which nothing prevents in both.
 */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32')
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  // A program takes a backslash as one, unless a quote comes after it.
  const escaped = word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&');
  return `"${escaped}"`;
}
