/** The version of JSON that has had no other one. */
const VERSION = 1;

/** What a command tells, as versioned JSON: integers that JSON does not hold as text. */
export function versionedJson(told: object): string {
  return `${JSON.stringify({ version: VERSION, ...told }, asJson, 2)}\n`;
}

/** The same as one line. */
export function versionedLine(told: object): string {
  return `${JSON.stringify({ version: VERSION, ...told }, asJson)}\n`;
}

function asJson(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
