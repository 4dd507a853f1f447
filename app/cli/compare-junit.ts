import type { Comparison, JudgedBound } from '../../shared/compare/index.ts';

/** The bounds of a comparison as tests: a broken one has failed, one that cannot be told is skipped. */
export function compareJunit({ a, b, bounds }: Comparison): string {
  const count = (...results: readonly JudgedBound['result'][]) =>
    bounds.filter(({ result }) => results.includes(result)).length;
  const name = escaped(`${a.traces.join(', ')} to ${b.traces.join(', ')}`);
  const cases = bounds.map(({ text, result, proof }) => {
    const open = `    <testcase classname="outrank compare" name="${escaped(text)}">`;
    return `${open}\n${bodyOf(result, escaped(proof))}    </testcase>\n`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n',
    `  <testsuite name="${name}" tests="${bounds.length}" failures="${count('broken')}" `,
    `skipped="${count('cannot_tell', 'not_recorded')}">\n`,
    ...cases,
    '  </testsuite>\n</testsuites>\n',
  ].join('');
}

function bodyOf(result: JudgedBound['result'], proof: string): string {
  if (result === 'broken') return `      <failure message="${proof}"/>\n`;
  if (result === 'kept') return `      <system-out>${proof}</system-out>\n`;
  return `      <skipped message="${proof}"/>\n`;
}

/** A text for XML: without characters that XML 1.0 has no form for. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
