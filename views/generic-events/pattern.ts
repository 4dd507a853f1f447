/** Letters that mean something to LIKE, after which the text is taken as it is. */
const SPECIAL = /[!%_]/g;

/** The LIKE pattern (with `!` as escape) of what contains a text. */
export function containing(text: string): string {
  return `%${text.replace(SPECIAL, '!$&')}%`;
}

/** The same for JSON, which writes quotes and backslashes with a backslash before them. */
export function containingInJson(text: string): string {
  return containing(JSON.stringify(text).slice(1, -1));
}
