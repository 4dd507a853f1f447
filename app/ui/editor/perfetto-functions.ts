/** A function that documentation describes and the engine does not list: how it is called, and what it gives. */
interface KnownFunction {
  readonly call: string;
  readonly comment: string;
}

const f = (call: string, comment: string): readonly [string, KnownFunction] => [
  call.slice(0, call.indexOf('(')),
  { call, comment },
];

/** Functions of PerfettoSQL and SQLite, by name. Source: perfetto.dev/docs and sqlite.org/lang_corefunc.html. */
export const KNOWN_FUNCTIONS: ReadonlyMap<string, KnownFunction> = new Map([
  f('extract_arg(arg_set_id, key)', 'The value of an argument, by the flat key of the table args.'),
  f('extract_metadata(name)', 'A value of the table metadata.'),
  f('abs_time_str(ts)', 'A time of the trace as wall-clock time in ISO 8601; null without a clock snapshot.'),
  f('to_realtime(ts)', 'A time of the trace on the real-time clock, in ns since 1970.'),
  f('trace_start()', 'The start of the trace, in ns.'),
  f('trace_end()', 'The end of the trace, in ns.'),
  f('trace_dur()', 'The length of the trace, in ns.'),
  f('hash(…)', 'A hash of all arguments, as an integer.'),
  f('base64_encode(bytes)', 'Bytes as text in base 64.'),
  f(
    'regexp_extract(text, pattern)',
    'The first match of a regular expression; its first group if it has one.',
  ),
  f('str_split(text, separator, index)', 'The part of a text at an index (from 0) between separators.'),
  f('percentile(value, percent)', 'Of a group: the value below which so many percent lie, 0 to 100.'),
  f('median(value)', 'Of a group: the middle value.'),
  f('ln(x)', 'The natural logarithm.'),
  f('abs(x)', 'The absolute value.'),
  f('avg(x)', 'Of a group: the mean.'),
  f('coalesce(…)', 'The first argument that is not null.'),
  f('count(*)', 'Of a group: the number of rows; with an argument, of those in which it is not null.'),
  f('format(format, …)', 'Text as printf writes it.'),
  f('group_concat(text, separator)', 'Of a group: all texts, joined.'),
  f('ifnull(x, otherwise)', 'The first argument, or the second where the first is null.'),
  f('iif(condition, then, otherwise)', 'One of two values.'),
  f('instr(text, part)', 'Where a part first occurs, from 1; 0 where it does not.'),
  f('lag(x)', 'The value in the row before, in the order of the window.'),
  f('lead(x)', 'The value in the row after, in the order of the window.'),
  f('length(text)', 'The number of characters.'),
  f('like(pattern, text)', 'Whether a text fits a pattern of % and _, whatever its case.'),
  f('lower(text)', 'The text in small letters.'),
  f('max(x)', 'Of a group: the largest; with several arguments, the largest of them.'),
  f('min(x)', 'Of a group: the smallest; with several arguments, the smallest of them.'),
  f('nullif(x, y)', 'Null where both are equal, else the first.'),
  f('printf(format, …)', 'Text as printf writes it.'),
  f('rank()', 'The row’s place among its peers in the order of the window, from 1.'),
  f('replace(text, part, by)', 'The text with each occurrence of a part replaced.'),
  f('round(x, digits)', 'The number, rounded.'),
  f('row_number()', 'The row’s number in the order of the window, from 1.'),
  f('substr(text, from, length)', 'A part of a text; places count from 1.'),
  f('sum(x)', 'Of a group: the sum; null where there is nothing to add.'),
  f('total(x)', 'Of a group: the sum as a real number; 0 where there is nothing to add.'),
  f('trim(text)', 'The text without blanks at its ends.'),
  f('unhex(text)', 'A number from its hexadecimal digits.'),
  f('upper(text)', 'The text in capital letters.'),
]);
