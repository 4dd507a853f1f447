import { etwModules } from '../../shared/sql/index.ts';
import { readModule, type SchemaItem } from '../../shared/sql/read-module.ts';

let read: ReadonlyMap<string, SchemaItem> | undefined;

/** The tables, views and functions of the package `etw`, by name. */
export function schemaItems(): ReadonlyMap<string, SchemaItem> {
  read ??= new Map(
    etwModules.flatMap(({ name, sql }) =>
      readModule(name, sql).items.map((item) => [item.name, item] as const),
    ),
  );
  return read;
}

/** A table with the names of its columns, on a line; null where there is none of that name. */
export function tableWords(name: string): string | null {
  const item = schemaItems().get(name);
  return item === undefined ? null : `${name} has ${item.columns.map((column) => column.name).join(', ')}`;
}

/** All tables, each with what it holds, as Markdown. */
export function schemaList(): string {
  const lines = [...schemaItems().values()].map(
    ({ name, kind, comment }) =>
      `- \`${name}\`${kind === 'FUNCTION' ? ' (function)' : ''}: ${comment.split('\n')[0] ?? ''}`,
  );
  return `# Tables of a trace\n\nThe columns of one: \`outrank://schema/TABLE\`.\n\n${lines.join('\n')}\n`;
}

/** A table with its columns, as Markdown; null where there is none of that name. */
export function schemaOf(name: string): string | null {
  const item = schemaItems().get(name);
  if (item === undefined) return null;
  const columns = [...item.arguments, ...item.columns].map(
    (column) => `- \`${column.name}\` (${column.type}): ${column.comment}`,
  );
  return `# ${name}\n\n${item.comment}\n\n${columns.join('\n')}\n`;
}
