/** What in SQL may hold any character (strings, quoted names, comments), or one character of interest. */
export const TOKEN =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[();]|[^\s'"`();/-]+|[/-]/g;

/** Whether a token is a comment. */
export function isComment(token: string): boolean {
  return token.startsWith('--') || token.startsWith('/*');
}
