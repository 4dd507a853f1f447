import { isComment } from './tokens.ts';

/** The words, names, texts and marks of SQL. */
const WORD =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\w$.]+|[^\s\w$.]/g;
const NAME = /^[\w$."`[]/;
/** What ends the list of relations of a FROM. */
const ENDS_FROM =
  /^(?:where|group|having|order|limit|window|union|except|intersect|select|values|returning)$/;

/** What stands between two parentheses, or outside of all. */
interface Part {
  /** Within a list of relations. */
  inFrom: boolean;
  /** A relation comes next. */
  expects: boolean;
}

/**
 * What a SELECT reads, in lower case: the tables, views and table functions after FROM, JOIN and IN, but for those that it defines
 * itself by WITH. Null for SQL that is not one SELECT, or EXPLAIN of one.
 */
export function relationsOf(sql: string): ReadonlySet<string> | null {
  const words = [...sql.matchAll(WORD)].map(([word]) => word).filter((word) => !isComment(word));
  if (words.at(-1) === ';') words.pop();
  if (isWord(words[0], 'explain'))
    words.splice(0, isWord(words[1], 'query') && isWord(words[2], 'plan') ? 3 : 1);
  if (words.includes(';') || !/^(?:select|with)$/i.test(words[0] ?? '')) return null;
  const relations = new Set<string>();
  const defined = new Set<string>();
  let part: Part = { inFrom: false, expects: false };
  const around: Part[] = [];
  words.forEach((text, at) => {
    const word = text.toLowerCase();
    const before = words[at - 1]?.toLowerCase();
    if (word === '(') {
      const isSelect = /^(?:select|with|values)$/i.test(words[at + 1] ?? '');
      const isJoin = part.expects && !isSelect;
      part.expects = false;
      around.push(part);
      part = { inFrom: isJoin, expects: isJoin };
    } else if (word === ')') {
      part = around.pop() ?? { inFrom: false, expects: false };
    } else if (part.expects) {
      relations.add(nameOf(word));
      part.expects = false;
    } else if ((word === 'from' && before !== 'distinct') || word === 'join') {
      part.inFrom = true;
      part.expects = true;
    } else if (word === ',') {
      part.expects = part.inFrom;
    } else if (ENDS_FROM.test(word)) {
      part.inFrom = false;
    } else if (word === 'as' && isBodyAt(words, at + 1)) {
      const name = definedBefore(words, at);
      if (name !== undefined) defined.add(nameOf(name.toLowerCase()));
    } else if (before === 'in' && NAME.test(word)) {
      relations.add(nameOf(word));
    }
  });
  return new Set([...relations].filter((name) => !defined.has(name)));
}

/** Whether the body of a WITH begins at a word: `(`, perhaps after MATERIALIZED or NOT MATERIALIZED. */
function isBodyAt(words: readonly string[], at: number): boolean {
  let next = at;
  while (/^(?:not|materialized)$/i.test(words[next] ?? '')) next += 1;
  return words[next] === '(';
}

/** What an AS names: the word before it, or before the list of columns before it. */
function definedBefore(words: readonly string[], as: number): string | undefined {
  if (words[as - 1] !== ')') return words[as - 1];
  let depth = 0;
  for (let at = as - 1; at >= 0; at--) {
    if (words[at] === ')') depth += 1;
    if (words[at] === '(') depth -= 1;
    if (depth === 0) return words[at - 1];
  }
  return undefined;
}

function isWord(text: string | undefined, word: string): boolean {
  return text?.toLowerCase() === word;
}

function nameOf(word: string): string {
  return /^["`[]/.test(word) ? word.slice(1, -1) : word;
}
